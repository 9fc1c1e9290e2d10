/** Findings. */
import type { ReactNode } from "react";
import type { PageProps } from "../shell/page-props.ts";

export function FindingsPage(_: PageProps): ReactNode {
  return <h2>Findings</h2>;
}
