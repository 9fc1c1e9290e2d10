/** Whether a silent daemon was suspended by a signal, and not just kept from running by others: the first never ends by itself. */
import { readFileSync } from "node:fs";
import { readDaemonRecord, type HomePaths } from "../../platform/home/index.ts";

/** False also where that cannot be told: then only patience helps. */
export function isSuspended({ record }: HomePaths): boolean {
  const pid = readDaemonRecord(record)?.pid;
  if (pid === undefined) return false;
  try {
    return /\) [Tt] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false; // not Linux, or gone by now
  }
}
