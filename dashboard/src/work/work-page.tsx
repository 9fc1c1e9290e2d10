/** Work. */
import type { ReactNode } from "react";
import type { PageProps } from "../shell/page-props.ts";

export function WorkPage(_: PageProps): ReactNode {
  return <h2>Work</h2>;
}
