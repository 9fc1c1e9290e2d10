/**
 * Before a write: the first one reserves the file, each further one renews it.
 *
 *   files -> paths in the tree -> lost to another since? told once -> the agent's own, or free: reserved -> passes
 *                                                                  -> another agent's: refused, with its holder and for how long
 *   globs -> globs in the tree -> a live hold of another in them? refused, else it passes: a hold on a whole folder would
 *                                 outlast the command and keep all others out
 *   git commands that rewrite the tree -> judge-git-commands.ts
 *   unknown targets, programs and tools -> judge-unknown.ts: let pass and remembered
 *
 * A sub-agent may write what its parent holds: the parent gave it the work.
 */
import { join, resolve } from "node:path";
import { DomainError, type AgentCaller, type AgentId, type InputOf, type OutputOf } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import { locateProject } from "../registry/index.ts";
import { canBeHeld, glob, InvalidPattern, matches } from "../globs/index.ts";
import { acquireReservation, blockerOf, checkPaths, heldBy, lostTo } from "../reservations/index.ts";
import { cannotBeHeld } from "./cannot-be-held.ts";
import { ancestorsOf } from "./family.ts";
import type { GuardPorts, GuardRepositories } from "./ports.ts";
import { judgeGitCommands, judgeRemovedGit } from "./judge-git-commands.ts";
import { type Doubts, judgeUnknown } from "./judge-unknown.ts";
import { keepAtStake, type WriteTargets } from "./keep-at-stake.ts";
import type { ToolCall } from "./tool-calls.ts";
import { folderOf, splitGlob, treePath, treePattern } from "../tree-paths/index.ts";

type Item = OutputOf<"guard.write">["items"][number];
type Located = {
  readonly file: string;
  readonly tree: string;
  readonly path: string | undefined;
  readonly state?: Item["state"];
};

export async function guardWrite(
  input: InputOf<"guard.write">,
  call: AgentCall<GuardRepositories>,
  ports: GuardPorts,
): Promise<OutputOf<"guard.write">> {
  const { agent, tree: home } = call.caller;
  const { paths: files, patterns, command, ...judged } = await judgeGitCommands(input, call.caller, ports);
  const above = await ancestorsOf(agent.id, ports.store.reader.agents);
  const placed = await Promise.all(patterns.map((text) => placeGlob(text, call.caller)));
  const undecided = placed.filter(({ state }) => state === "unguarded");
  const doubts: Doubts = {
    programs: judged.programs,
    tools: judged.tools,
    unknown: [...judged.unknown, ...undecided.map(({ text }) => `${text}: this glob cannot be decided`)],
  };
  const { atStake, warnings: doubtful } = await judgeUnknown(doubts, call.caller, ports);
  const globs = await askForGlobs(placed, above, call.caller, ports);
  const located = await locate(files, above, call.caller, ports);
  const removed = await judgeRemovedGit(treesWithoutGit(located, placed), call.caller, ports);
  const wanted = located.filter((one) => one.state === undefined);
  const trees = [...new Set(wanted.map(({ tree }) => tree))];
  const answers = new Map<string, Reserved>();
  for (const [index, tree] of trees.entries()) {
    const paths = [...new Set(wanted.flatMap((one) => (one.tree === tree && one.path ? [one.path] : [])))];
    // A repeated key answers one transaction; a renewal in a further tree may be done twice.
    const transact = index === 0 ? call.transact : ports.store.transact;
    answers.set(tree, await reserve(paths, { ...call, transact, caller: { ...call.caller, tree } }, ports));
  }
  const isDoubtful = atStake.length > 0 || judged.gitCommands.length > 0;
  const others = [...judged.atStake, ...removed.atStake];
  await keepAtStake({ located: [...located, ...others], placed, isDoubtful }, call.caller, ports);
  tellCalls({ located, placed, isDoubtful, command, id: input.call }, call.caller, ports);
  const unguarded = await ports.unguarded.tell(agent.id);
  for (const { what, isAtStake } of atStake)
    await ports.unguarded.note({ project: call.caller.project.id, agent, tree: home, what, isAtStake });
  const unnamed = located.flatMap(({ path, state }) => (state === "unguarded" ? [cannotBeHeld(path!).message] : []));
  const warnings = [
    ...unnamed,
    ...judged.warnings,
    ...removed.warnings,
    ...doubtful,
    ...globs.warnings,
    ...[...answers.values()].flatMap(({ warning }) => warning ?? []),
  ];
  return {
    items: [...located.map((one) => itemOf(one, answers.get(one.tree))), ...globs.items],
    ...(warnings.length === 0 ? {} : { warning: warnings.join("; ") }),
    ...(atStake.length === 0 ? {} : { remembered: atStake.length }),
    unguarded: [...unguarded],
  };
}

/** The tree watch learns from this whose write it sees. */
function tellCalls(
  { located, placed, isDoubtful, ...call }: WriteTargets & Pick<ToolCall, "command" | "id">,
  { agent, tree: home }: AgentCaller,
  { calls }: GuardPorts,
): void {
  for (const tree of new Set([home, ...located.map((one) => one.tree), ...placed.map((one) => one.tree)])) {
    const paths = located.flatMap((one) => (one.tree === tree && one.path !== undefined ? [one.path] : []));
    const patterns = placed.flatMap((one) => (one.tree === tree && one.pattern !== undefined ? [one.pattern] : []));
    const unknown = isDoubtful && tree === home;
    if (unknown || paths.length + patterns.length > 0) calls.began({ ...call, agent, tree, paths, patterns, unknown });
  }
}

/** What git keeps a tree by; the rest of `.git` can be made again. */
const vital = /^\.git(?:\/(?:HEAD|index|objects|refs))?$/;

function treesWithoutGit(located: readonly Located[], placed: readonly PlacedGlob[]): ReadonlySet<string> {
  const isVital = ({ path }: Located): boolean => path !== undefined && vital.test(path);
  const reachesGit = ({ pattern }: PlacedGlob): boolean =>
    pattern === "**" || (pattern !== undefined && /^\.[^/]*[*?[]/.test(pattern) && matches(glob(pattern), ".git"));
  return new Set([...located.filter(isVital), ...placed.filter(reachesGit)].map(({ tree }) => tree));
}

type PlacedGlob = {
  readonly text: string;
  readonly tree: string;
  readonly pattern?: string;
  readonly state?: Item["state"];
};

/** A glob that the matcher does not know, such as an extended one, is as good as unknown. */
async function placeGlob(text: string, caller: AgentCaller): Promise<PlacedGlob> {
  const tree = await treeAround(join(splitGlob(text).folder, "*"), caller);
  try {
    const pattern = treePattern(text, tree);
    return pattern === undefined ? { text, tree, state: "outside" } : { text, tree, pattern };
  } catch (error) {
    if (error instanceof InvalidPattern) return { text, tree, state: "unguarded" };
    throw error;
  }
}

type Asked = { readonly items: readonly Item[]; readonly warnings: readonly string[] };

async function askForGlobs(
  placed: readonly PlacedGlob[],
  above: readonly AgentId[],
  caller: AgentCaller,
  ports: GuardPorts,
): Promise<Asked> {
  const items: Item[] = [];
  const warnings: string[] = [];
  for (const { text, tree, pattern, state = "clear" } of placed) {
    const blocker = pattern === undefined ? undefined : await blockerOf([pattern], { ...caller, tree }, above, ports);
    const refusal = blocker && (await heldBy(blocker, ports.store.reader, ports));
    if (refusal !== undefined && (await ports.policyFor(tree)) !== "warn") throw refusal;
    items.push({ path: pattern ?? text, state: refusal === undefined ? state : "unguarded" });
    if (refusal !== undefined) warnings.push(refusal.message);
  }
  return { items, warnings };
}

function itemOf({ file, path = file, state }: Located, { reservation }: Reserved = {}): Item {
  if (state !== undefined || reservation === undefined) return { path, state: state ?? "unguarded" };
  return { path, state: "reserved", reservation: reservation.id, fencingToken: reservation.fencingToken };
}

type Reserved = {
  readonly reservation?: OutputOf<"reservation.acquire">["reservation"];
  readonly warning?: string;
};

async function reserve(
  paths: readonly string[],
  call: AgentCall<GuardRepositories>,
  ports: GuardPorts,
): Promise<Reserved> {
  try {
    await refuseLost(paths, call.caller, ports);
    const wanted = { paths: [...paths], patterns: [], mode: "exclusive" as const, scope: "tree" as const, waitMs: 0 };
    // The paths are real ones already: asking again where they lead would be half the cost of a renewal.
    return { reservation: (await acquireReservation(wanted, call, { ...ports, resolveName: undefined })).reservation };
  } catch (error) {
    const inTheWay = error instanceof DomainError && (error.family === "conflict" || error.code === "lease.lost");
    if (!inTheWay || (await ports.policyFor(call.caller.tree)) !== "warn") throw error;
    return { warning: error.message };
  }
}

async function locate(
  files: readonly string[],
  above: readonly AgentId[],
  caller: AgentCaller,
  ports: GuardPorts,
): Promise<readonly Located[]> {
  const located: Located[] = [];
  for (const file of files) {
    const tree = await treeAround(file, caller);
    const path = treePath(file, tree);
    const state = path === undefined ? "outside" : await stateOf(path, above, { ...caller, tree }, ports);
    located.push({ file, tree, path, ...defined({ state }) });
  }
  return located;
}

/** A session may walk into another working tree of its repository, which may even lie inside its own. */
async function treeAround(file: string, { tree, project }: AgentCaller): Promise<string> {
  const place = await locateProject(folderOf(resolve(tree, file)));
  return place.path === project.path ? place.tree : tree;
}

/** Undefined: it has to be reserved. */
async function stateOf(
  path: string,
  above: readonly string[],
  caller: AgentCaller,
  ports: GuardPorts,
): Promise<Item["state"] | undefined> {
  if (!canBeHeld(path)) return unlessRefused(path, caller.tree, ports);
  return above.length > 0 && (await isHeldBy(above, path, caller, ports)) ? "parents" : undefined;
}

/** No agent could be told of this write, so it is refused like one of a file that another holds. */
async function unlessRefused(path: string, tree: string, ports: GuardPorts): Promise<"unguarded"> {
  if ((await ports.policyFor(tree)) === "warn") return "unguarded";
  throw cannotBeHeld(path);
}

async function isHeldBy(
  holders: readonly string[],
  path: string,
  caller: AgentCaller,
  ports: GuardPorts,
): Promise<boolean> {
  const [item] = (await checkPaths({ paths: [path] }, caller, { ...ports, resolveName: undefined })).items;
  return item?.state === "taken" && holders.includes(item.holder!.id);
}

async function refuseLost(paths: readonly string[], caller: AgentCaller, ports: GuardPorts): Promise<void> {
  for (const { path, to } of await lostTo(paths, caller, ports)) {
    if (!ports.told.tell(caller.agent.id, path, to.fencingToken)) continue;
    throw new DomainError(
      "lease.lost",
      `You no longer hold "${path}": ${to.holder.name} (${to.holder.client}) has had it since. Read the file again, then repeat the edit`,
      { details: { id: to.id, path, holder: to.holder, fencingToken: to.fencingToken } },
    );
  }
}
