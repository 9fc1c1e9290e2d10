/**
 * One branch into another, when its turn at the target comes.
 *
 *   known conflict, still open -> refused at once, naming who has it: the same merge is not tried again
 *   merged                     -> recorded and told to whom it concerns
 *   conflict                   -> nothing moved; a work item with both sides and the paths, announced once
 */
import {
  branch as contract,
  DomainError,
  type AgentCaller,
  type OutputOf,
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
import type { MergePlace, Merger, Torn } from "./ports.ts";

export type BranchRepositories = CommitRepositories & WorkItemRepositories;
export type BranchCall = AgentCall<BranchRepositories>;
export type BranchPorts = CommitPorts & WorkItemPorts & { readonly merger: Merger; readonly turns: KeyedQueue };
export type MergeOutcome = OutputOf<"branch.merge">;
/** own: the agent that hits a conflict resolves it. queue: it waits for an agent that takes it. */
type Terms = { readonly conflictTo: "own" | "queue"; readonly forward: boolean };

const mostNamed = 20;

export function mergeInTurn(
  place: MergePlace,
  terms: Terms,
  call: BranchCall,
  ports: BranchPorts,
): Promise<MergeOutcome> {
  const repository = call.caller.project.path;
  const index = place.tree === undefined ? [] : [`index:${place.tree}`];
  return ports.turns([`branch:${repository}/${place.into}`, ...index], async () => {
    const known = await openConflict(place, call.caller, ports);
    if (known !== undefined) throw conflictRefusal(place, known, known.body?.split("\n").filter(Boolean).length ?? 0);
    const message = `Merge ${place.branch} into ${place.into}`;
    const outcome = await ports.merger.merge(place, { message, forward: terms.forward });
    if (outcome.state === "conflict") throw await handOver(place, outcome.paths, terms, call, ports);
    const { branch, into } = place;
    const { state, commit } = outcome;
    if (outcome.state === "up-to-date") return { state, branch, into, commit, paths: [], told: [] };
    const { paths } = outcome;
    await call.transact(call.caller.project.id, (tx) =>
      tx.events.append(
        call.caller.project.id,
        contract.BranchMerged.of(into, { branch, into, commit, by: call.caller.agent }),
      ),
    );
    const told = await announceAll({ commit, paths, subject: message }, call, ports);
    return { state, branch, into, commit, paths: [...paths], told: [...told] };
  });
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
