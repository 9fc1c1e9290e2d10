/** Health. */
import type { ReactNode } from "react";
import type { PageProps } from "../shell/page-props.ts";

export function HealthPage(_: PageProps): ReactNode {
  return <h2>Health</h2>;
}
