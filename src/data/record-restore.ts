/** A store is restored while no daemon runs. The next daemon finds the note and enters the restore into the audit. */
import type { Log } from "../platform/log/index.ts";
import { readRestoreNote, removeRestoreNote } from "../platform/store/index.ts";
import type { RecordPorts } from "./data-ports.ts";

type RestoreNotePorts = Pick<RecordPorts, "store"> & { readonly database: string; readonly log: Pick<Log, "warn"> };

export async function recordRestore({ store, database, log }: RestoreNotePorts): Promise<void> {
  const note = readRestoreNote(database);
  if (note === undefined) return;
  await store.transact("audit", (tx) =>
    tx.audit.append({
      actor: { kind: "user" },
      action: "store.restored",
      subject: "store",
      project: undefined,
      details: note,
    }),
  );
  removeRestoreNote(database);
  log.warn("store.restored", note);
}
