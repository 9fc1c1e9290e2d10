/** Events. */
import type { ReactNode } from "react";
import type { PageProps } from "../shell/page-props.ts";

export function EventsPage(_: PageProps): ReactNode {
  return <h2>Events</h2>;
}
