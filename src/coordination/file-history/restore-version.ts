/**
 * Putting one version of a file back.
 *
 *   what is there now is kept (durable) -> the version's content -> may it be written? -> one step on the disk -> a version of
 *     its own, the event and the notice to the holder
 */
import {
  DomainError,
  file as contract,
  type AgentCaller,
  type AgentRef,
  type InputOf,
  type OutputOf,
} from "../../contract/index.ts";
import type { EventRepository } from "../../platform/event-log/index.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import type { Store } from "../../platform/store/index.ts";
import { postMessage, type MailRepositories } from "../mail/index.ts";
import { requireLiveAgent } from "../registry/index.ts";
import type { ReservationPorts, ReservationRepositories } from "../reservations/index.ts";
import type { FileHistory, GuardedTree } from "./file-history.ts";
import { notKept, pathInTree, treeOfProject, versionOf } from "./find-versions.ts";
import { mayOverwrite } from "./may-overwrite.ts";
import type { FileGit, FileHistoryRepositories } from "./ports.ts";
import { obstacleTo, putBack, type FileState } from "./put-back.ts";
import type { VersionRecord } from "./store.ts";
import { viewVersion } from "./version-view.ts";

export type RestoreRepositories = FileHistoryRepositories &
  MailRepositories &
  ReservationRepositories & { readonly events: EventRepository };
export type RestorePorts = Omit<ReservationPorts, "store"> & {
  readonly store: Store<RestoreRepositories>;
  readonly fileHistory: FileHistory;
  readonly git: FileGit;
};
export type PlacedFile = GuardedTree & { readonly path: string };

export async function restoreVersion(
  { path: wantedPath, version: id, tree: folder }: InputOf<"file.restore">,
  call: AgentCall<RestoreRepositories>,
  ports: RestorePorts,
): Promise<OutputOf<"file.restore">> {
  const { caller } = call;
  const tree = await treeOfProject(folder, caller, ports.store.reader);
  const path = await pathInTree(wantedPath, tree, ports.store.reader);
  await call.transact(caller.project.id, (tx) => requireLiveAgent(caller, tx));
  const file = { tree, project: caller.project.id, path };
  // A version that does not exist is refused before anything is kept.
  const named = id === undefined ? undefined : await versionOf(id, file, ports.store.reader.fileVersions);
  const replaced = await ports.fileHistory.current(file);
  if (replaced === undefined) throw notKept(path, "it has no kept version");
  const version = named ?? (await newestOther(file, replaced, ports));
  const wanted = await stateOf(version, ports);
  const { holder, refusal } = await mayOverwrite(path, replaced, { ...caller, tree }, ports);
  if (refusal !== undefined) throw refusal;
  await writeFiles([{ file, wanted, expected: replaced }], `sylk file restore ${path}`, caller, ports);
  const told = holder === undefined ? [] : [holder];
  await recordRestored({ tree, paths: [path], told, of: undefined }, call, ports);
  return { restored: viewVersion(version), replaced: viewVersion(replaced), told };
}

/** The newest version that differs from what is there, and whose content is kept. */
async function newestOther(
  file: PlacedFile,
  { hash, state }: VersionRecord,
  ports: RestorePorts,
): Promise<VersionRecord> {
  const chain = await ports.store.reader.fileVersions.chain(file.tree, file.path);
  const other = chain.findLast(
    (version) => version.state !== "too-large" && (version.hash !== hash || version.state !== state),
  );
  if (other === undefined) throw notKept(file.path, "it has no other version than the present one");
  return other;
}

export async function stateOf(
  { path, state, hash, mode, id }: VersionRecord,
  { fileHistory }: { readonly fileHistory: Pick<FileHistory, "contentOf"> },
): Promise<FileState> {
  if (state === "absent") return undefined;
  if (state === "too-large") throw notKept(path, `version ${id} was too large to keep`, id);
  const content = await fileHistory.contentOf({ hash });
  if (content === undefined) throw notKept(path, `the content of version ${id} is gone`, id);
  return { content, mode: mode ?? 0o644 };
}

export type Write = { readonly file: PlacedFile; readonly wanted: FileState; readonly expected: VersionRecord };

/** Throws before the first file that has changed meanwhile; those before it are written. */
export async function writeFiles(
  writes: readonly Write[],
  command: string,
  { agent }: AgentCaller,
  { fileHistory }: RestorePorts,
): Promise<void> {
  for (const { file, wanted, expected } of writes) {
    if (!putBack(file, wanted, expected)) throw notWritten(file);
    fileHistory.wrote(file, { author: agent, knownBy: "sylk", command });
  }
  await fileHistory.flush();
}

function notWritten(file: PlacedFile): DomainError {
  const obstacle = obstacleTo(file);
  const sentence =
    obstacle === undefined
      ? `${file.path} was changed at this very moment, so it was not overwritten; repeat the command`
      : `${obstacle}, so ${file.path} was not put back; move it away, then repeat the command`;
  return new DomainError("file.not-kept", sentence, { details: { path: file.path } });
}

type Restored = {
  readonly tree: string;
  readonly paths: readonly string[];
  readonly told: readonly AgentRef[];
  readonly of: AgentRef | undefined;
};

export async function recordRestored(
  { tree, paths, told, of }: Restored,
  { caller, transact }: AgentCall<RestoreRepositories>,
  { ids, clock }: Pick<RestorePorts, "ids" | "clock">,
): Promise<void> {
  const { agent: by, project } = caller;
  await transact(project.id, async (tx) => {
    const fact = { tree, paths: [...paths], by, ...(of === undefined ? {} : { of }) };
    await tx.events.append(project.id, contract.FileRestored.of(paths[0] ?? tree, fact));
    if (told.length === 0) return;
    const id = ids.next("msg");
    await postMessage(
      {
        id,
        thread: id,
        project: project.id,
        from: by,
        audience: "agents",
        to: told,
        content: { kind: "text" },
        subject: `${by.name} put back earlier content in a file you hold: ${paths.join(", ")}`.slice(0, 300),
        body: `Read it again before you continue. "sylk file history ${paths[0]}" lists what it held; "sylk file restore ${paths[0]}" takes this back.`,
        importance: "high",
        sentAt: clock.now(),
      },
      tx,
    );
  });
}
