/** Files. */
import type { ReactNode } from "react";
import type { PageProps } from "../shell/page-props.ts";

export function FilesPage(_: PageProps): ReactNode {
  return <h2>Files</h2>;
}
