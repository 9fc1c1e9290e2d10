/**
 * A patch between two versions of a file, or of everything that one agent changed.
 *
 * An agent's changes of one file that are not next to each other are shown one after the other: what others did between them is
 * not its own.
 */
import { invalidInput, type AgentCaller, type InputOf, type OutputOf } from "../../contract/index.ts";
import { changesOf, type Change } from "./changes-of.ts";
import { agentNamed, notKept, pathInTree, treeOfProject, versionOf } from "./find-versions.ts";
import type { ListPorts } from "./list-versions.ts";
import type { FileGit, Side } from "./ports.ts";
import { stateOf, type PlacedFile } from "./restore-version.ts";
import type { VersionRecord } from "./store.ts";

type Ports = ListPorts & { readonly git: FileGit };
type Answer = OutputOf<"file.diff">;

const longestDiff = 1_000_000;

export async function diffVersions(input: InputOf<"file.diff">, caller: AgentCaller, ports: Ports): Promise<Answer> {
  const tree = await treeOfProject(input.tree, caller, ports.store.reader);
  const path = input.path === undefined ? undefined : await pathInTree(input.path, tree, ports.store.reader);
  if (input.agent !== undefined) return cut(await diffOfAgent(input, { tree, path }, caller, ports));
  if (path === undefined)
    throw invalidInput("path", "is missing", { sentence: "path: name a file, or an agent whose changes to show" });
  const file = { tree, project: caller.project.id, path };
  const to =
    input.to === undefined
      ? await present(file, ports)
      : await versionOf(input.to, file, ports.store.reader.fileVersions);
  const from =
    input.from === undefined
      ? await versionBefore(to, ports)
      : await versionOf(input.from, file, ports.store.reader.fileVersions);
  const text = await patchOf([{ before: from, after: to }], ports);
  return cut({ patch: text, files: text === "" ? [] : [path], notes: [] });
}

async function present(file: PlacedFile, { fileHistory }: Ports): Promise<VersionRecord> {
  const now = await fileHistory.current(file);
  if (now === undefined) throw notKept(file.path, "it has no kept version");
  return now;
}

/** The newest one before it with another content. */
async function versionBefore(to: VersionRecord, { store }: Ports): Promise<VersionRecord> {
  const chain = await store.reader.fileVersions.chain(to.tree, to.path);
  const until = chain.slice(
    0,
    chain.findIndex(({ id }) => id === to.id),
  );
  const from = until.findLast(({ hash, state }) => hash !== to.hash || state !== to.state);
  if (from === undefined) throw notKept(to.path, "it has no earlier version");
  return from;
}

async function diffOfAgent(
  { agent: key, since }: InputOf<"file.diff">,
  { tree, path }: { readonly tree: string; readonly path: string | undefined },
  caller: AgentCaller,
  ports: Ports,
): Promise<Answer> {
  const { fileVersions, agents } = ports.store.reader;
  const agent = (await agentNamed(key, caller, agents))!;
  await ports.fileHistory.flush();
  const query = { project: caller.project.id, tree, agent: agent.id, since };
  const paths = path === undefined ? await fileVersions.paths(query) : [path];
  const notes: string[] = [];
  const layers: Change[][] = [];
  const files: string[] = [];
  for (const one of paths) {
    const chain = await fileVersions.chain(tree, one);
    const changes = changesOf(chain, query);
    if (changes.length === 0 && chain[0]?.author?.id === agent.id)
      notes.push(`${one}: what it held before ${agent.name} wrote it is not kept`);
    if (changes.length > 0) files.push(one);
    for (const [layer, change] of changes.entries()) {
      const lost = await missing(change, ports);
      if (lost === undefined) (layers[layer] ??= []).push(change);
      else notes.push(lost);
    }
  }
  let patch = "";
  for (const layer of layers) patch += await patchOf(layer ?? [], ports);
  return { patch, files, notes };
}

/** Why a change cannot be shown. */
async function missing({ before, after }: Change, ports: Ports): Promise<string | undefined> {
  for (const version of [before, after])
    try {
      await stateOf(version, ports);
    } catch (error) {
      return `${version.path}: ${(error as Error).message}`;
    }
  return undefined;
}

async function patchOf(changes: readonly Change[], ports: Ports): Promise<string> {
  const [from, to]: [Side[], Side[]] = [[], []];
  for (const { before, after } of changes)
    for (const [side, version] of [
      [from, before],
      [to, after],
    ] as const) {
      const state = await stateOf(version, ports);
      if (state !== undefined) side.push({ path: version.path, ...state });
    }
  return ports.git.diff(from, to);
}

function cut(answer: Answer): Answer {
  if (answer.patch.length <= longestDiff) return answer;
  const end = answer.patch.lastIndexOf("\n", longestDiff) + 1;
  return {
    ...answer,
    patch: answer.patch.slice(0, end),
    notes: [...answer.notes, `The diff is longer than ${longestDiff} characters; name a path to see the rest`],
  };
}
