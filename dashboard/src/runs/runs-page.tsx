/** Runs. */
import type { ReactNode } from "react";
import type { PageProps } from "../shell/page-props.ts";

export function RunsPage(_: PageProps): ReactNode {
  return <h2>Runs</h2>;
}
