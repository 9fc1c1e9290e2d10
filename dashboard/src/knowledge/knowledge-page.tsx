/** Knowledge. */
import type { ReactNode } from "react";
import type { PageProps } from "../shell/page-props.ts";

export function KnowledgePage(_: PageProps): ReactNode {
  return <h2>Knowledge</h2>;
}
