/**
 * Lists the items that can be claimed now, best first: open and unblocked, in progress without a live owner, or stuck and takeable.
 *
 * Reads indexes only: of the items in progress it loads those without an owner and those of the few owners that have been
 * silent for longer than a claim of theirs lasts, whatever the number of claims.
 */
import { DomainError, type AgentId, type Caller, type InputOf, type OutputOf } from "../../contract/index.ts";
import { claimLeftMs } from "./claim-lease.ts";
import type { WorkItemPorts } from "./ports.ts";
import { rankForAgent, type Suitor } from "./rank-for-agent.ts";
import type { WorkItemRecord } from "./store.ts";
import { isTakeable } from "./stuck-work-item.ts";
import { listWithProjects } from "./work-item-view.ts";

/** From how many of the best one picks those that suit an agent. */
const choice = 100;

export async function readyWorkItems(
  { limit, for: whom }: InputOf<"work-item.ready">,
  caller: Caller,
  ports: WorkItemPorts,
): Promise<OutputOf<"work-item.ready">> {
  const suitor = whom === undefined ? undefined : await suitorNamed(whom, caller, ports);
  const best = await readyRecords(caller, suitor === undefined ? limit : Math.max(limit, choice), ports);
  const ranked = suitor === undefined ? best : rankForAgent(best, suitor);
  return { items: await listWithProjects(ranked.slice(0, limit), caller, ports.store.reader) };
}

async function readyRecords(
  { project }: Caller,
  limit: number,
  ports: WorkItemPorts,
): Promise<readonly WorkItemRecord[]> {
  const { workItems } = ports.store.reader;
  const open = await workItems.readyOpen(project?.id, limit);
  const ownerless = await workItems.readyOwnerless(project?.id, limit);
  const stuck = (await workItems.stuck(project?.id)).filter((record) => isTakeable(record, ports));
  const expired = (await ofSilentOwners(ports)).filter(
    (record) => project === undefined || record.project === project.id,
  );
  const byId = new Map([...open, ...ownerless, ...stuck, ...expired].map((record) => [record.id, record]));
  return [...byId.values()].sort(byRank).slice(0, limit);
}

/** A claim ends with its owner's silence, which only memory knows: so ask there, and load the few it names. */
async function ofSilentOwners(ports: WorkItemPorts): Promise<readonly WorkItemRecord[]> {
  const { workItems } = ports.store.reader;
  const silent = new Set<AgentId>();
  for (const { claimTtlMs, agents } of await workItems.owners())
    for (const agent of agents) if (ports.liveness.silenceMs(agent) >= claimTtlMs) silent.add(agent);
  const found: WorkItemRecord[] = [];
  for (const agent of silent)
    for (const record of await workItems.ownedBy(agent))
      if (claimLeftMs(record, ports) === 0 && (await workItems.openDependencies(record.id)).length === 0)
        found.push(record);
  return found;
}

function byRank(a: WorkItemRecord, b: WorkItemRecord): number {
  return a.priority - b.priority || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}

async function suitorNamed(whom: string, caller: Caller, { store }: WorkItemPorts): Promise<Suitor> {
  const { agents, workItems } = store.reader;
  const id = whom === "me" && caller.kind === "agent" ? caller.agent.id : whom;
  const found =
    (await agents.find(id as Parameters<typeof agents.find>[0])) ??
    (caller.project && (await agents.findByName(caller.project.id, whom)));
  if (found === undefined || (caller.project !== undefined && found.project.id !== caller.project.id))
    throw new DomainError(
      "agent.not-found",
      whom === "me"
        ? '"me" needs an agent, and the user is not one; name an agent: sylk ready --for heron, or --as heron --for me'
        : `No agent "${whom}" here; "sylk who" lists them`,
      { details: { id: whom } },
    );
  return { capabilities: found.capabilities, records: await workItems.recordsOf(found.id) };
}
