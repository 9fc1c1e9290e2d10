/** Messages. */
import type { ReactNode } from "react";
import type { PageProps } from "../shell/page-props.ts";

export function MessagesPage(_: PageProps): ReactNode {
  return <h2>Messages</h2>;
}
