/**
 * One branch into another, when its turn at the target comes.
 *
 *   known conflict, still open -> refused at once, naming who has it: the same merge is not tried again
 *   a file that others hold    -> refused, or waited for: see free-paths.ts; other files may be held and changed
 *   merged                     -> recorded and told to whom it concerns
 *   conflict                   -> nothing moved; a work item with both sides and the paths, announced once
 */
import {
  branch as contract,
  DomainError,
  type AgentCaller,
  type OutputOf,
  type ReservationId,
  type WorkItem,
} from "../../contract/index.ts";
import { announceAll, type CommitPorts, type CommitRepositories } from "../commits/index.ts";
import {
  claimWorkItem,
  createWorkItem,
  viewWorkItem,
  type WorkItemPorts,
  type WorkItemRepositories,
} from "../work-items/index.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import type { KeyedQueue } from "../../platform/keyed-queue/index.ts";
import type { Transaction } from "../../platform/store/index.ts";
import type { ReservationPorts } from "../reservations/index.ts";
import { refuseHeld, type Refused, waitForHolders } from "./free-paths.ts";
import type { MergePlace, Merger, MergeTerms, Torn } from "./ports.ts";

export type BranchRepositories = CommitRepositories & WorkItemRepositories;
export type BranchCall = AgentCall<BranchRepositories>;
export type BranchPorts = CommitPorts &
  WorkItemPorts & {
    readonly merger: Merger;
    readonly turns: KeyedQueue;
    readonly reservations: ReservationPorts;
  };
export type MergeOutcome = OutputOf<"branch.merge">;
type Terms = {
  /** own: the agent that hits a conflict resolves it. queue: it waits for an agent that takes it. */
  readonly conflictTo: "own" | "queue";
  readonly forward: boolean;
  readonly message?: string;
  /** How long to wait for files that others hold. */
  readonly waitMs: number;
  /** Recorded together with the merge. */
  readonly record?: (commit: string, tx: BranchRepositories & Transaction) => Promise<void>;
};

const mostNamed = 20;

export async function mergeInTurn(
  place: MergePlace,
  terms: Terms,
  call: BranchCall,
  ports: BranchPorts,
): Promise<MergeOutcome> {
  const deadline = ports.clock.monotonic() + terms.waitMs;
  const asked = new Set<ReservationId>();
  for (;;) {
    const merged = await inTurn(place, terms, call, ports);
    if (!("held" in merged)) return merged;
    const leftMs = deadline - ports.clock.monotonic();
    if (leftMs <= 0 || call.signal?.aborted === true) throw merged.refusal;
    await waitForHolders(merged.held, place, { leftMs, asked }, call, ports.reservations);
  }
}

/** A merge that waits for holders leaves its turn to the next. */
function inTurn(
  place: MergePlace,
  terms: Terms,
  call: BranchCall,
  ports: BranchPorts,
): Promise<MergeOutcome | Refused> {
  const { branch, into } = place;
  const index = place.tree === undefined ? [] : [`index:${place.tree}`];
  return ports.turns([`branch:${call.caller.project.path}/${into}`, ...index], async () => {
    const known = await openConflict(place, call.caller, ports);
    if (known !== undefined && !(await ports.merger.isMerged(place)))
      throw conflictRefusal(place, known, known.body?.split("\n").filter(Boolean).length ?? 0);
    const { message = `Merge ${branch} into ${into}`, forward } = terms;
    let refused: Refused | undefined;
    const check = async (paths: readonly string[]): Promise<void> => {
      refused = await refuseHeld(paths, place, call.caller, ports.reservations);
      if (refused !== undefined) throw refused.refusal;
    };
    try {
      return await mergeOnce(place, { message, forward, check }, terms, call, ports);
    } catch (error) {
      if (refused !== undefined && error === refused.refusal) return refused;
      throw error;
    }
  });
}

async function mergeOnce(
  place: MergePlace,
  how: MergeTerms,
  terms: Terms,
  call: BranchCall,
  ports: BranchPorts,
): Promise<MergeOutcome> {
  const { branch, into } = place;
  const { project, agent: by } = call.caller;
  const outcome = await ports.merger.merge(place, how);
  if (outcome.state === "conflict") throw await handOver(place, outcome.paths, terms, call, ports);
  const { state, commit } = outcome;
  if (outcome.state === "up-to-date") return { state, branch, into, commit, paths: [], told: [] };
  const { paths } = outcome;
  await call.transact(project.id, async (tx) => {
    await tx.events.append(project.id, contract.BranchMerged.of(into, { branch, into, commit, by }));
    await terms.record?.(commit, tx);
  });
  const subject = how.message.split("\n")[0]!;
  const told = await announceAll({ commit, paths, subject }, call, ports);
  return { state, branch, into, commit, paths: [...paths], told: [...told] };
}

async function openConflict(
  place: MergePlace,
  { project }: AgentCaller,
  { store }: BranchPorts,
): Promise<WorkItem | undefined> {
  const query = { project: project.id, status: undefined, label: labelOf(place), before: undefined, limit: 50 };
  const found = (await store.reader.workItems.list(query)).find(
    ({ status, title }) => status !== "closed" && title === titleOf(place),
  );
  return found === undefined ? undefined : viewWorkItem(found);
}

async function handOver(
  place: MergePlace,
  torn: readonly Torn[],
  { conflictTo }: Terms,
  call: BranchCall,
  ports: BranchPorts,
): Promise<DomainError> {
  const lines = torn.map(
    ({ path, ours, theirs }) => `${path}: on ${place.into} by ${ours}; on ${place.branch} by ${theirs}`,
  );
  const terms = {
    type: "merge",
    priority: 1,
    labels: [labelOf(place)],
    dependsOn: [],
    relatesTo: [],
    discoveredFrom: [],
  };
  const made = await createWorkItem({ ...terms, title: titleOf(place), body: lines.join("\n") }, call, ports);
  const { branch, into } = place;
  const paths = torn.map(({ path }) => path);
  await call.transact(call.caller.project.id, (tx) =>
    tx.events.append(
      call.caller.project.id,
      contract.BranchConflicted.of(into, { branch, into, paths, workItem: made.workItem.id, by: call.caller.agent }),
    ),
  );
  const workItem = conflictTo === "own" ? await claimed(made.workItem, call, ports) : made.workItem;
  return conflictRefusal(place, workItem, torn.length, paths);
}

/** An agent that has too many claims already leaves it to the next one. */
async function claimed(workItem: WorkItem, call: BranchCall, ports: BranchPorts): Promise<WorkItem> {
  try {
    return (await claimWorkItem(workItem.id, call, ports)).workItem;
  } catch (error) {
    if (error instanceof DomainError) return workItem;
    throw error;
  }
}

function conflictRefusal(
  { branch, into }: MergePlace,
  { id, owner }: WorkItem,
  count: number,
  paths: readonly string[] = [],
): DomainError {
  const who = owner === undefined ? `"sylk claim ${id}" takes it` : `${owner.name} has it`;
  const named = paths.length === 0 ? "" : ` (${paths.slice(0, mostNamed).join(", ")})`;
  return new DomainError(
    "workspace.conflict",
    `${branch} does not merge into ${into}: ${count} ${count === 1 ? "file" : "files"} changed on both sides${named}; nothing was moved. Work item ${id} is to resolve it: ${who}; after "git merge" by hand, "sylk close ${id}"`,
    { details: { branch, into, conflicts: paths.slice(0, mostNamed), workItem: id, ...(owner ? { owner } : {}) } },
  );
}

function titleOf({ branch, into }: MergePlace): string {
  return `Resolve the conflict of ${branch} with ${into}`;
}

function labelOf({ source }: MergePlace): string {
  return `merge:${source.slice(0, 12)}`;
}
