/** Costs. */
import type { ReactNode } from "react";
import type { PageProps } from "../shell/page-props.ts";

export function CostsPage(_: PageProps): ReactNode {
  return <h2>Costs</h2>;
}
