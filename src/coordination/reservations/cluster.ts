/** An edit keeps what it edits and what its holder has beside it: files of one folder are worked on together. */
import { dirname } from "node:path/posix";
import type { LeaseClock } from "../leases/index.ts";
import { compileStored } from "./covered-paths.ts";
import { placeOf } from "./places.ts";
import type { ReservationRecord } from "./store.ts";

export function renewCluster(
  edited: ReservationRecord,
  own: readonly ReservationRecord[],
  leases: Pick<LeaseClock, "edit" | "isLive">,
): void {
  leases.edit(edited);
  const folders = foldersOf(edited);
  for (const record of own) {
    if (record.id === edited.id || record.tree !== edited.tree || !leases.isLive(record)) continue;
    if (foldersOf(record).some((folder) => folders.includes(folder))) leases.edit(record);
  }
}

function foldersOf(record: ReservationRecord): readonly string[] {
  return compileStored(record).map((pattern) => {
    const { kind, place } = placeOf(pattern);
    return kind === "glob" ? place : dirname(place).replace(/^\.$/, "");
  });
}
