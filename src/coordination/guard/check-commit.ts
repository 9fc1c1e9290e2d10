/**
 * Before a commit, the second line behind the hooks, which clients skip when a hook fails.
 *
 *   changed paths -> another live agent's?       reservation.conflict, with the holder of the first
 *                 -> lost to another since?      lease.lost: the file is not what the committer knew
 *                 -> loses lines, never held?    commit.reverts: another agent's work would be lost
 *   unguarded     -> unguarded calls in this tree since its last commit: named, because they may be in it
 *   unattributed  -> no agent is named, and neither a terminal nor an editor is among the process's ancestors: stopped like an
 *                    agent where a path is held, with the way to name the committer
 *   people        -> warned, stopped only where guard.policy is strict; they reserve nothing, so what they never held
 *                    says nothing: of reverts they hear only there
 *   with a reason -> goes through, and is audited
 */
import { DomainError, type AgentCaller, type InputOf, type OutputOf } from "../../contract/index.ts";
import { actorOf } from "../../platform/audit/index.ts";
import { defined } from "../../platform/defined.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import { treeOfProject } from "../registry/index.ts";
import { everHeld, lostTo } from "../reservations/index.ts";
import { othersHolds } from "./others-holds.ts";
import { gitPath } from "../tree-paths/index.ts";
import type { GuardPorts, GuardRepositories } from "./ports.ts";

type Wanted = InputOf<"guard.commit">;
type Look = { readonly refusal: DomainError | undefined; readonly shared: readonly string[] };

const wayRound = 'if it cannot wait: SYLK_OVERRIDE="why" git commit';
const mostNamed = 20;
const mostSaid = 3;

export async function checkCommit(
  wanted: Wanted,
  call: AgentCall<GuardRepositories>,
  ports: GuardPorts,
): Promise<OutputOf<"guard.commit">> {
  const committer = { ...call.caller, tree: await treeOfProject(wanted.tree, call.caller) };
  const paths = wanted.paths.map((path) => gitPath(path, committer.tree));
  const strangers = await strangersOf(committer, ports);
  const looked = await look(paths, wanted.fencingToken, { committer, strangers }, ports);
  const shared = [...looked.shared, ...unguardedIn(committer.tree, ports)];
  const policy = await ports.policyFor(committer.tree);
  const isAgent = committer.agent.client !== "human";
  const removes = isAgent || policy === "strict" ? wanted.removes : [];
  const refusal = looked.refusal ?? (await revertRefusal(removes, committer, ports));
  const answer = { checked: wanted.paths.length, overridden: wanted.override !== undefined, warnings: [...shared] };
  if (wanted.override !== undefined) {
    await recordOverride(wanted, refusal, { ...call, caller: committer });
    letThrough(paths, committer, ports);
    return { ...answer, warnings: [...(refusal === undefined ? [] : [refusal.message]), ...shared] };
  }
  const isPerson = !isAgent && strangers === undefined;
  const isOnlyWarned = policy === "warn" || (policy === "deny" && isPerson);
  if (refusal !== undefined && !isOnlyWarned) throw refusal;
  letThrough(paths, committer, ports);
  return refusal === undefined ? answer : { ...answer, warnings: [refusal.message, ...shared] };
}

function letThrough(paths: readonly string[], { project, tree }: AgentCaller, ports: GuardPorts): void {
  ports.passes.passed(project.id, paths);
  ports.unguarded.settle(tree);
}

function unguardedIn(tree: string, { unguarded }: GuardPorts): readonly string[] {
  const calls = unguarded.inTree(tree);
  if (calls.length === 0) return [];
  const said = [...new Set(calls.map(({ agent, what }) => `${agent.name}: ${what}`))];
  const more = said.length > mostSaid ? `; and ${said.length - mostSaid} more` : "";
  return [
    `${calls.length} tool call${calls.length === 1 ? "" : "s"} went unguarded since the last commit here (${said.slice(0, mostSaid).join("; ")}${more}); look at what they changed`,
  ];
}

async function look(
  paths: readonly string[],
  fencingToken: number | undefined,
  { committer, strangers }: { readonly committer: AgentCaller; readonly strangers: string | undefined },
  ports: GuardPorts,
): Promise<Look> {
  const holds = await othersHolds(paths, fencingToken, committer, ports);
  const shared = holds.shared.map(({ path, holder }) => `${path} is shared with ${holder!.name}`);
  if (holds.cause !== undefined) {
    const taken = holds.taken.map(({ path }) => path);
    return { refusal: refused(holds.cause, taken, strangers), shared };
  }
  const lost = await lostTo(paths, committer, ports);
  return { refusal: lost.length === 0 ? undefined : lostRefusal(lost), shared };
}

/** Why the committer is unknown; undefined where it is an agent, or a person. */
async function strangersOf({ agent, descends }: AgentCaller, { originOf }: GuardPorts): Promise<string | undefined> {
  if (agent.client !== "human" || descends === undefined || originOf === undefined) return undefined;
  const origin = await originOf(descends);
  if (origin.kind === "terminal" || origin.kind === "editor") return undefined;
  const why =
    origin.kind === "client"
      ? `${origin.program} runs it and has no agent here`
      : "its process has no terminal and no registered agent above it";
  return `Sylk does not know who commits (${why}): name the agent with SYLK_AGENT=<name> git commit ("sylk who" lists them; you are ${agent.name})`;
}

function refused(cause: DomainError, paths: readonly string[], strangers: string | undefined): DomainError {
  const more = paths.length === 1 ? "" : ` (and ${paths.length - 1} more of its paths are held)`;
  const naming = strangers === undefined ? "" : `; ${strangers}`;
  return new DomainError(
    "reservation.conflict",
    `The commit is stopped: ${cause.message}${more}${naming}; "git restore --staged" leaves it out; ${wayRound}`,
    {
      details: {
        ...cause.details,
        paths: paths.slice(0, mostNamed),
        ...(strangers === undefined ? {} : { committer: "unattributed" }),
      },
      ...defined({ retryAfterMs: cause.retryAfterMs }),
      cause,
    },
  );
}

function lostRefusal(lost: Awaited<ReturnType<typeof lostTo>>): DomainError {
  const [{ path, to }] = lost as [(typeof lost)[number]];
  return new DomainError(
    "lease.lost",
    `The commit is stopped: you no longer hold "${path}", and ${to.holder.name} has had it since. Read the file again, then "sylk reserve ${path}" and commit again; ${wayRound}`,
    {
      details: {
        id: to.id,
        holder: to.holder,
        fencingToken: to.fencingToken,
        paths: lost.slice(0, mostNamed).map((one) => one.path),
      },
    },
  );
}

/** A commit from an old copy removes what others have added meanwhile, and its author does not know it. */
async function revertRefusal(
  removes: readonly string[],
  committer: AgentCaller,
  { store }: GuardPorts,
): Promise<DomainError | undefined> {
  if (removes.length === 0) return undefined;
  const isOwn = await everHeld(committer, store.reader);
  const foreign = removes.filter((path) => !isOwn(path));
  if (foreign.length === 0) return undefined;
  const named = foreign.slice(0, mostNamed);
  const more = foreign.length > named.length ? ` and ${foreign.length - named.length} more` : "";
  return new DomainError(
    "commit.reverts",
    `The commit is stopped: it takes lines out of files that you never reserved: ${named.join(", ")}${more}; leave them out, or if the change is yours, "sylk reserve" them and commit again; ${wayRound}`,
    { details: { paths: named } },
  );
}

async function recordOverride(
  { override, overriddenAt, paths }: Wanted,
  refusal: DomainError | undefined,
  { caller, transact }: AgentCall<GuardRepositories>,
): Promise<void> {
  await transact(caller.project.id, (tx) =>
    tx.audit.append({
      actor: actorOf(caller),
      action: "commit.overridden",
      subject: caller.agent.id,
      project: caller.project.id,
      details: {
        reason: override,
        paths: paths.length,
        refusal: refusal?.code ?? null,
        ...defined({ at: overriddenAt }),
      },
    }),
  );
}
