/**
 * A commit in a tree that others work in: what it holds is decided here, git does the rest.
 *
 *   named paths, or what its agent reserved -> turn of these paths -> draft -> gate -> hooks -> land -> announced
 *
 * Invariant: overlapping commits land one after the other, each drafted after the one before it has landed.
 */
import { DomainError, invalidInput, type AgentCaller, type InputOf, type OutputOf } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import { requireLiveAgent, treeOfProject } from "../registry/index.ts";
import { everHeld, type ReservationRepository } from "../reservations/index.ts";
import type { KeyedQueue } from "../../platform/keyed-queue/index.ts";
import { announceAll, type AnnounceCall, type CommitPorts } from "./announce-commit.ts";
import type { Change, ChangedFile, Committer, Draft } from "./ports.ts";

type Wanted = InputOf<"commit.create">;
export type GatedCommit = Pick<InputOf<"guard.commit">, "paths" | "removes" | "tree" | "override" | "fencingToken">;
export type CreateCommitPorts = CommitPorts & {
  readonly store: { readonly reader: { readonly reservations: ReservationRepository } };
  readonly committer: Committer;
  readonly turns: KeyedQueue;
  /** project: one commit at a time in the whole repository. */
  readonly modeFor: (tree: string) => Promise<"paths" | "project">;
  /** Throws what the commit gate refuses; answers with its warnings. */
  readonly gate: (commit: GatedCommit) => Promise<readonly string[]>;
  /** What an agent changed in a tree, as local history knows; with a warning for files that others changed, too. */
  readonly changedBy: (agent: string, tree: string, caller: AgentCaller) => Promise<ChangedByAgent>;
};
export type ChangedByAgent = {
  readonly paths: ReadonlySet<string>;
  readonly shared: readonly { readonly path: string; readonly warning: string }[];
};
type Making = {
  readonly wanted: Wanted;
  readonly tree: string;
  readonly call: AnnounceCall;
  readonly ports: CreateCommitPorts;
};
type Made = Omit<OutputOf<"commit.create">, "told"> & { readonly subject: string };

const mostDrafts = 5;

export async function createCommit(
  wanted: Wanted,
  call: AnnounceCall,
  ports: CreateCommitPorts,
): Promise<OutputOf<"commit.create">> {
  const tree = await treeOfProject(wanted.tree, call.caller);
  await call.transact(call.caller.project.id, (tx) => requireLiveAgent(call.caller, tx));
  const making = { wanted, tree, call, ports };
  const { files, warnings } = await filesOf(making);
  const turn =
    (await ports.modeFor(tree)) === "project"
      ? [`project:${call.caller.project.path}`]
      : files.map(({ bytes }) => `file:${tree}/${bytes}`);
  const { subject, ...landed } = await ports.turns(turn, () => makeCommit(files, making));
  const made = { ...landed, warnings: [...warnings, ...landed.warnings] };
  try {
    return { ...made, told: await announced({ ...made, subject }, making) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    // The commit is made; a failed announcement must not look as if it were not.
    return { ...made, told: [], warnings: [...made.warnings, `No agent was told of the commit: ${error.message}`] };
  }
}

type Chosen = { readonly files: readonly ChangedFile[]; readonly warnings: readonly string[] };

/** A named path is taken as the agent's own; without names only paths it reserved, since the tree is shared. */
async function filesOf({ wanted, tree, call, ports }: Making): Promise<Chosen> {
  const { paths = [] } = wanted;
  paths.forEach(refuseOutside);
  const changed = await ports.committer.changedFiles(tree, paths);
  const byAgent = wanted.agent === undefined ? undefined : await ports.changedBy(wanted.agent, tree, call.caller);
  if (byAgent !== undefined) {
    const files = changed.filter(({ path }) => byAgent.paths.has(path));
    if (files.length > 0) return { files, warnings: warningsFor(files, byAgent) };
    throw nothing(`local history knows no uncommitted change of ${wanted.agent} here`, paths);
  }
  const isOwn = paths.length > 0 ? () => true : await everHeld({ ...call.caller, tree }, ports.store.reader);
  const files = changed.filter(({ path }) => isOwn(path));
  if (files.length > 0) return { files, warnings: [] };
  throw nothing(whyNothing(paths, changed.length), paths);
}

function warningsFor(files: readonly ChangedFile[], { shared }: ChangedByAgent): readonly string[] {
  const names = new Set(namesOf(files));
  return shared.filter(({ path }) => names.has(path)).map(({ warning }) => warning);
}

function whyNothing(paths: readonly string[], changed: number): string {
  if (paths.length > 0)
    return `nothing has changed in ${paths.slice(0, 5).join(", ")}; another agent may have committed your change with its own`;
  if (changed === 0) return "nothing has changed in this tree";
  const files =
    changed === 1
      ? "1 file has changed, which is not reserved by you"
      : `${changed} files have changed, none of them reserved by you`;
  return `${files}; name those that are yours ("sylk commit -m … <path>")`;
}

async function makeCommit(files: readonly ChangedFile[], making: Making): Promise<Made> {
  for (let drafts = 0; drafts < mostDrafts; drafts++) {
    const made = await oneDraft(files, making);
    if (made !== "overtaken") return made;
  }
  throw new DomainError(
    "commit.not-possible",
    "No commit was made: others commit the same files by git itself, faster than this one could; commit again",
    { details: { state: "overtaken" } },
  );
}

async function oneDraft(files: readonly ChangedFile[], making: Making): Promise<Made | "overtaken"> {
  const { wanted, tree, call, ports } = making;
  await using draft = await ports.committer.draft({
    tree,
    files,
    message: wanted.message,
    agent: call.caller.agent.id,
    hookMs: wanted.waitMs,
  });
  if (draft.changes.length === 0) throw nothing("another agent has just committed these files", namesOf(files));
  const warnings = [...(await askGate(draft, draft.changes, making))];
  const { branch } = draft;
  if (wanted.dryRun) return { branch, paths: namesOf(draft.changes), warnings, subject: "" };
  const before = new Set(namesOf(draft.changes));
  const changes = await draft.runHooks();
  if (changes.length === 0) throw nothing("a hook took all changes out of it", namesOf(files));
  const added = changes.filter(({ path }) => !before.has(path));
  if (added.length > 0) warnings.push(...(await askGate(draft, added, making)));
  // One at a time at the branch and at the index, which would refuse the second: no caller has to try again.
  const turn = [`branch:${call.caller.project.path}/${branch}`, `index:${tree}`];
  const landed = await ports.turns(turn, () => draft.land());
  if (landed === "overtaken") return landed;
  warnings.push(...(await draft.finish()));
  return { ...landed, branch, paths: namesOf(changes), warnings };
}

async function askGate(
  draft: Draft,
  changes: readonly Change[],
  { wanted: { override, dryRun, fencingToken }, tree, call, ports }: Making,
): Promise<readonly string[]> {
  const paths = namesOf(changes);
  const isOwn = await everHeld({ ...call.caller, tree }, ports.store.reader);
  const foreign = paths.filter((path) => !isOwn(path));
  const losing = changes.filter(({ takesAway }) => takesAway).map(({ path }) => path);
  const removes = [...new Set([...losing, ...(await draft.setBack(foreign))])];
  return ports.gate({
    paths,
    removes,
    tree,
    ...defined({ fencingToken }),
    ...(override === undefined || dryRun ? {} : { override }),
  });
}

async function announced(made: Made, { call, ports }: Making): Promise<OutputOf<"commit.create">["told"]> {
  if (made.commit === undefined) return [];
  return [...(await announceAll({ ...made, commit: made.commit }, call, ports))];
}

function refuseOutside(path: string, index: number): void {
  if (!path.startsWith("/") && !path.split("/").includes("..") && !path.includes("\0")) return;
  throw invalidInput(`paths.${index}`, "must lie inside the tree, and be named from its root");
}

function nothing(why: string, paths: readonly string[]): DomainError {
  return new DomainError("commit.nothing", `There is nothing to commit: ${why}`, {
    details: { paths: paths.slice(0, 20) },
  });
}

function namesOf(files: readonly ChangedFile[]): string[] {
  return files.map(({ path }) => path);
}
