/** A version as callers see it. */
import type { FileVersion } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { VersionRecord } from "./store.ts";

export function viewVersion(record: VersionRecord): FileVersion {
  const { id, path, seenAt, seen, state, bytes, mode, hash, author, knownBy, command } = record;
  return {
    id,
    path,
    seenAt,
    seen,
    state,
    knownBy,
    ...defined({ bytes, content: hash, author, command, mode: mode?.toString(8) }),
  };
}
