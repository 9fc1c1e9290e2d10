/**
 * Undoing the changes of one agent, since a time, or of a path.
 *
 *   versions of each file -> its wanted changes, the newest first -> each is taken out of what is there now by git's three-way
 *     merge -> all clean? written : shown, and nothing is written
 */
import type { AgentRef, InputOf, OutputOf, UndoItem } from "../../contract/index.ts";
import { DomainError } from "../../contract/index.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import { requireLiveAgent } from "../registry/index.ts";
import { changesOf, newestChange, type Change } from "./changes-of.ts";
import { agentNamed, notKept, pathInTree, treeOfProject } from "./find-versions.ts";
import { mayOverwrite } from "./may-overwrite.ts";
import type { FileState } from "./put-back.ts";
import { isLink } from "./read-content.ts";
import {
  recordRestored,
  stateOf,
  writeFiles,
  type PlacedFile,
  type RestorePorts,
  type RestoreRepositories,
  type Write,
} from "./restore-version.ts";

type Planned = {
  readonly item: UndoItem;
  readonly write?: Write;
  readonly now?: FileState;
  readonly holder?: AgentRef;
};

export async function undoChanges(
  input: InputOf<"file.undo">,
  call: AgentCall<RestoreRepositories>,
  ports: RestorePorts,
): Promise<OutputOf<"file.undo">> {
  const { caller } = call;
  const { fileVersions, agents } = ports.store.reader;
  const tree = await treeOfProject(input.tree, caller, ports.store.reader);
  const agent = await agentNamed(input.agent, caller, agents);
  const { since, dryRun, partial } = input;
  await call.transact(caller.project.id, (tx) => requireLiveAgent(caller, tx));
  await ports.fileHistory.flush();
  const project = caller.project.id;
  const named: string[] = [];
  for (const [index, path] of input.paths.entries())
    named.push(await pathInTree(path, tree, { fileVersions, field: `paths.${index}` }));
  const paths = named.length > 0 ? named : await fileVersions.paths({ project, tree, agent: agent?.id, since });
  const isNewestOnly = agent === undefined && since === undefined;
  const planned: Planned[] = [];
  for (const path of new Set(paths)) {
    await ports.fileHistory.current({ tree, project, path });
    const chain = await fileVersions.chain(tree, path);
    const changes = isNewestOnly ? newestChange(chain) : changesOf(chain, { agent: agent?.id, since });
    if (changes.length > 0)
      planned.push(await plan({ tree, project, path }, changes, { ...call, caller: { ...caller, tree } }, ports));
  }
  if (planned.length === 0) throw notKept(named[0] ?? tree, "it has no change that matches");
  const writes = planned.flatMap(({ write }) => write ?? []);
  const isWhole = planned.every(({ item }) => item.state === "undone" || item.state === "unchanged");
  const patch = await patchOf(planned, ports);
  const written = !dryRun && writes.length > 0 && (isWhole || partial);
  const told = written ? holdersOf(planned) : [];
  if (written) {
    await writeFiles(writes, commandOf(input), caller, ports);
    await recordRestored({ tree, paths: writes.map(({ file }) => file.path), told, of: agent }, call, ports);
  }
  return { written, items: planned.map(({ item }) => item), patch, told: [...told] };
}

async function plan(
  file: PlacedFile,
  changes: readonly Change[],
  { caller }: AgentCall<RestoreRepositories>,
  ports: RestorePorts,
): Promise<Planned> {
  const { path } = file;
  const expected = (await ports.store.reader.fileVersions.latest(file.tree, path))!;
  const now = await orNotKept(() => stateOf(expected, ports));
  if (now instanceof DomainError) return { item: { path, state: "not-kept", why: now.message } };
  let wanted: FileState = now;
  for (const change of changes.toReversed()) {
    const taken = await orNotKept(() => takeOut(change, wanted, ports));
    if (taken instanceof DomainError) return { item: { path, state: "not-kept", why: taken.message } };
    if ("why" in taken) return { item: { path, state: "conflict", ...taken } };
    wanted = taken.file;
  }
  if (isEqual(now, wanted)) return { item: { path, state: "unchanged" } };
  const { holder, refusal } = await mayOverwrite(path, expected, caller, ports);
  if (refusal !== undefined) return { item: { path, state: "held", why: refusal.message } };
  return {
    item: { path, state: "undone" },
    write: { file, wanted, expected },
    now,
    ...(holder === undefined ? {} : { holder }),
  };
}

type Taken = { readonly file: FileState } | { readonly why: string; readonly text?: string };

/** `now` without one change; what others changed since stays. */
async function takeOut({ before: first, after: last }: Change, now: FileState, ports: RestorePorts): Promise<Taken> {
  const [before, after] = [await stateOf(first, ports), await stateOf(last, ports)];
  if (isSameContent(now, after))
    return { file: before && now ? { ...before, mode: modeOf(before, after, now) } : before };
  if (isSameContent(now, before) || now === undefined) return { file: now };
  if (before === undefined) return { why: "others changed the file since it was made" };
  if (after === undefined) return { why: "the file was removed, and made again since" };
  const labels = { current: "the file now", mine: "with the change", before: "before the change" };
  const areFiles = [now, after, before].every(({ mode }) => !isLink(mode));
  const merged = areFiles && (await ports.git.merge(now.content, after.content, before.content, labels));
  if (!merged) return { why: "others changed the file since, and it is not text" };
  if (!merged.isClean) return { why: "others changed the same lines since", text: merged.content.toString("utf8") };
  return { file: { content: merged.content, mode: modeOf(before, after, now) } };
}

function modeOf(before: { mode: number }, after: FileState, now: { mode: number }): number {
  return now.mode === after?.mode ? before.mode : now.mode;
}

function isSameContent(one: FileState, other: FileState): boolean {
  return one === undefined || other === undefined ? one === other : one.content.equals(other.content);
}

function isEqual(one: FileState, other: FileState): boolean {
  return isSameContent(one, other) && one?.mode === other?.mode;
}

async function orNotKept<T>(work: () => Promise<T>): Promise<T | DomainError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError && error.code === "file.not-kept") return error;
    throw error;
  }
}

function patchOf(planned: readonly Planned[], { git }: RestorePorts): Promise<string> {
  const side = (stateAt: (one: Planned) => FileState) =>
    planned.flatMap((one) => {
      const state = one.write === undefined ? undefined : stateAt(one);
      return state === undefined ? [] : [{ path: one.item.path, ...state }];
    });
  return git.diff(
    side(({ now }) => now),
    side(({ write }) => write!.wanted),
  );
}

function holdersOf(planned: readonly Planned[]): readonly AgentRef[] {
  return [
    ...new Map(planned.flatMap(({ holder }) => (holder === undefined ? [] : [[holder.id, holder] as const]))).values(),
  ];
}

function commandOf({ agent, paths }: InputOf<"file.undo">): string {
  return ["sylk undo", ...(agent === undefined ? [] : [`--agent ${agent}`]), ...paths].join(" ").slice(0, 300);
}
