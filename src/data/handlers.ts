/** Handlers of `project.*`, `store.*` and `id.find`: the owner's operations on everything that is kept. */
import type { OperationHandlers, OperationsOn } from "../platform/operations/index.ts";
import { backupFolderOf, freshBackupFile, type StoreCopy } from "../platform/store/index.ts";
import type { RecordPorts, RecordRepositories } from "./data-ports.ts";
import { exportRecords } from "./export-records.ts";
import { findId } from "./find-id.ts";
import { forgetProject } from "./forget-project.ts";
import { freshExportFile } from "./fresh-export-file.ts";
import { listProjects } from "./list-projects.ts";
import { purgeRecords } from "./purge-records.ts";

type DataHandlerPorts = RecordPorts & {
  readonly paths: { readonly home: string; readonly database: string };
  /** Copies the store in a process of its own, so that no other caller waits for it. */
  readonly copyStore: (to: string) => Promise<StoreCopy>;
  /** Ends the sessions in memory whose records are gone. */
  readonly evictForgotten: () => Promise<void>;
};

export function dataHandlers(
  ports: DataHandlerPorts,
): OperationHandlers<RecordRepositories, OperationsOn<"project" | "store" | "id">> {
  const { clock, paths, copyStore, evictForgotten } = ports;
  return {
    "id.find": (input, { caller }) => findId(input, caller, ports.store.reader.named),
    "project.list": () => listProjects(ports),
    async "project.forget"(input, call) {
      const forgotten = await forgetProject(input, call, ports);
      await evictForgotten();
      return forgotten;
    },
    "store.backup": async ({ file = freshBackupFile(backupFolderOf(paths.database), "asked", clock) }) => ({
      ...(await copyStore(file)),
      at: clock.now(),
    }),
    "store.export": async ({ file = freshExportFile(paths.home, clock.now()), only }) => ({
      file,
      ...(await exportRecords({ file, only }, ports)),
    }),
    "store.purge": (input, call) => purgeRecords(input, call, ports),
  };
}
