/** The composition root's third part: the owner's view of all records, and the handlers of its operations. */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { OperationName } from "../../contract/index.ts";
import { createGit, createWorkspaces } from "../../adapters/git/index.ts";
import type { Parts, Repositories, Terms } from "./parts.ts";
import { exportRecords, forgetProject, listProjects, purgeRecords } from "../../orchestration/records/index.ts";
import type { OperationHandlers } from "../../platform/operations/index.ts";
import { backupFolderOf, freshBackupFile, readRestoreNote, removeRestoreNote } from "../../platform/store/index.ts";
import { version } from "../../platform/version.ts";

export type RecordOperation = Extract<OperationName, `${"project" | "store"}.${string}`>;

export function recordHandlers(
  parts: Parts,
  { paths, env, clock, copyStore }: Terms,
  { letGoOfForgotten }: { readonly letGoOfForgotten: () => Promise<void> },
): OperationHandlers<Repositories, RecordOperation> {
  const workspaces = createWorkspaces(createGit(clock, env), join(paths.home, "worktrees"), clock);
  const ports = { ...parts, workspaces };
  return {
    "project.list": () => listProjects(parts),
    "project.forget": async (input, call) => {
      const forgotten = await forgetProject(input, call, ports);
      await letGoOfForgotten();
      return forgotten;
    },
    "store.backup": async ({ file = freshBackupFile(backupFolderOf(paths.database), "asked", clock) }) => ({
      ...(await copyStore(file)),
      at: clock.now(),
    }),
    "store.export": async ({ file = freshExportFile(paths.home, clock.now()), only }) => ({
      file,
      ...(await exportRecords({ file, only }, parts)),
    }),
    "store.purge": (input, call) => purgeRecords(input, call, parts),
  };
}

/** What replaces the store is done without a daemon; the one that finds the store restored says so in its audit. */
export async function recordRestore({ store }: Parts, { paths, log }: Terms): Promise<void> {
  const note = readRestoreNote(paths.database);
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
  removeRestoreNote(paths.database);
  log.warn("store.restored", note);
}

function freshExportFile(home: string, now: number): string {
  const folder = join(home, "exports");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let at = now; ; at++) {
    const file = join(folder, `${new Date(at).toISOString().replaceAll(/[-:.]/g, "")}-${version}.jsonl`);
    if (!existsSync(file)) return file;
  }
}
