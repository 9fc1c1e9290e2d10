/**
 * Before a commit, the second line behind the hooks, which clients skip when a hook fails.
 *
 *   changed paths -> another live agent's?       reservation.conflict, with the holder of the first
 *                 -> lost to another since?      lease.lost: the file is not what the committer knew
 *                 -> loses lines, never held?    commit.reverts: another agent's work would be lost
 *   unguarded     -> unguarded calls in this tree since its last commit: named, because they may be in it
 *   people        -> warned, stopped only where guard.policy is strict; they reserve nothing, so what they never held
 *                    says nothing: of reverts they hear only there
 *   with a reason -> goes through, and is audited
 */
import { DomainError, type AgentCaller, type InputOf, type OutputOf } from "../../contract/index.ts";
import { actorOf } from "../../platform/audit/index.ts";
import { defined } from "../../platform/defined.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import { treeOfProject } from "../registry/index.ts";
import { checkObserved, everHeld, heldBy, lostTo } from "../reservations/index.ts";
import { gitPath } from "../tree-paths/index.ts";
import { isSameFamily } from "./family.ts";
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
  const looked = await look(paths, wanted.fencingToken, committer, ports);
  const shared = [...looked.shared, ...unguardedIn(committer.tree, ports)];
  const policy = await ports.policyFor(committer.tree);
  const isPerson = committer.agent.client === "human";
  const removes = isPerson && policy !== "strict" ? [] : wanted.removes;
  const refusal = looked.refusal ?? (await revertRefusal(removes, committer, ports));
  const answer = { checked: wanted.paths.length, overridden: wanted.override !== undefined, warnings: [...shared] };
  if (wanted.override !== undefined) {
    await recordOverride(wanted, refusal, { ...call, caller: committer });
    ports.unguarded.settle(committer.tree);
    return { ...answer, warnings: [...(refusal === undefined ? [] : [refusal.message]), ...shared] };
  }
  const isOnlyWarned = policy === "warn" || (policy === "deny" && isPerson);
  if (refusal !== undefined && !isOnlyWarned) throw refusal;
  ports.unguarded.settle(committer.tree);
  return refusal === undefined ? answer : { ...answer, warnings: [refusal.message, ...shared] };
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
  committer: AgentCaller,
  ports: GuardPorts,
): Promise<Look> {
  const { agents, reservations } = ports.store.reader;
  const { items } = await checkObserved({ paths: [...paths], fencingToken }, committer, ports);
  const taken: (typeof items)[number][] = [];
  for (const item of items)
    if (item.state === "taken" && !(await isSameFamily(item.holder!.id, committer.agent.id, agents))) taken.push(item);
  const shared = items
    .filter(({ state }) => state === "shared")
    .map(({ path, holder }) => `${path} is shared with ${holder!.name}`);
  const [first] = taken;
  if (first !== undefined) {
    const record = (await reservations.find(first.reservation!))!;
    const cause = await heldBy({ record, witness: first.path }, ports.store.reader, ports);
    return {
      refusal: refused(
        cause,
        taken.map(({ path }) => path),
      ),
      shared,
    };
  }
  const lost = await lostTo(paths, committer, ports);
  return { refusal: lost.length === 0 ? undefined : lostRefusal(lost), shared };
}

function refused(cause: DomainError, paths: readonly string[]): DomainError {
  const more = paths.length === 1 ? "" : ` (and ${paths.length - 1} more of its paths are held)`;
  return new DomainError(
    "reservation.conflict",
    `The commit is stopped: ${cause.message}${more}; "git restore --staged" leaves it out; ${wayRound}`,
    {
      details: { ...cause.details, paths: paths.slice(0, mostNamed) },
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
