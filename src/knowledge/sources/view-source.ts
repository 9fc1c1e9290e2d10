import type { Source } from "../../contract/index.ts";
import type { SourceRecord } from "./store.ts";

export function viewSource({ project: _project, ...source }: SourceRecord): Source {
  return source;
}
