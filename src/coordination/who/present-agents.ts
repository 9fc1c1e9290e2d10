/**
 * An agent as people look for it: what it works on, where its process is, what it holds and waits for, what it has not
 * committed, what it did last. Each is left out where it is not known.
 */
import type { Agent, AgentId, PresentAgent, ProjectId } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { AgentRecord, Liveness } from "../registry/index.ts";
import type { LatestActivity } from "./latest-activity.ts";
import { listWaits, type WaitPorts } from "./list-waits.ts";
import { type ChangedFiles, type TreeChanges, uncommittedOf } from "./tree-changes.ts";
import { type Work, workOf, type WorkPorts } from "./list-presence.ts";

type Protection = Pick<PresentAgent, "guard" | "guardReason" | "shell" | "shellReason">;
export type WatchedAgent = Pick<AgentRecord, "id" | "pid" | "processStart" | "host">;

export type PresentPorts = WaitPorts &
  WorkPorts & {
    readonly liveness: Liveness;
    /** Name of this machine. */
    readonly host: string;
    /** Whether the kernel keeps files of others read-only for an agent's shell commands. */
    readonly shellOf: (agent: Agent) => Promise<Pick<PresentAgent, "shell" | "shellReason">>;
    /** Whether hooks ask before an agent's edits. */
    readonly guardOf: (agent: Agent) => Promise<Pick<PresentAgent, "guard" | "guardReason">>;
    /** Terminals of processes of this host, by pid; those that have none, or are gone, are left out. */
    readonly terminalsOf: (
      processes: readonly { readonly pid: number; readonly start: string }[],
    ) => Promise<ReadonlyMap<number, string>>;
    /** The title of the node that one of Sylk's own agents works on, by its session key. */
    readonly titleOfNode: (sessionKey: string) => Promise<string | undefined>;
    readonly activity: LatestActivity;
    readonly changes: TreeChanges;
  };

export type Found = { readonly record: AgentRecord; readonly agent: Agent };

const fewAgents = 10;
const pathsInList = 5;
const pathsInDetail = 200;
/** Sylk's own agents have the node they work on as their session key. */
const ownClient = "sylk";

export async function presentAgents(
  found: readonly Found[],
  project: ProjectId | undefined,
  ports: PresentPorts,
): Promise<PresentAgent[]> {
  const trees = found.filter(({ record }) => isPresent(record)).map(({ agent }) => agent.tree);
  const changed = await ports.changes.known(trees);
  return present(found, project, { of: (tree) => changed.get(tree), most: pathsInList }, ports);
}

export async function presentAgent(one: Found, ports: PresentPorts): Promise<PresentAgent> {
  const files = isPresent(one.record) ? await ports.changes.look(one.agent.tree) : undefined;
  const [agent] = await present([one], one.agent.project.id, { of: () => files, most: pathsInDetail }, ports);
  return agent!;
}

/** Who has gone has nothing in progress. */
function isPresent({ offlineAt, endedAt }: AgentRecord): boolean {
  return offlineAt === undefined && endedAt === undefined;
}

async function present(
  found: readonly Found[],
  project: ProjectId | undefined,
  { of: filesIn, most }: { readonly of: (tree: string) => ChangedFiles | undefined; readonly most: number },
  ports: PresentPorts,
): Promise<PresentAgent[]> {
  const projects = new Map<AgentId, ProjectId>(found.map(({ agent }) => [agent.id, agent.project.id]));
  const [activity, terminals, waits] = await Promise.all([
    ports.activity.of([...projects.keys()]),
    ports.terminalsOf(found.flatMap(({ record }) => processOf(record, ports.host))),
    listWaits(project, (agent) => projects.get(agent), ports),
  ]);
  // One question for many agents, one for the items of a few.
  const owned =
    found.length > fewAgents
      ? Map.groupBy(await ports.store.reader.workItems.owned(), (item) => item.owner?.id)
      : undefined;
  return Promise.all(
    found.map(async ({ record, agent }) => {
      const work = await workOf(agent, ports, owned && (owned.get(agent.id) ?? []));
      const files = isPresent(record) ? filesIn(agent.tree) : undefined;
      return {
        ...agent,
        ...work,
        ...defined({
          task: await taskOf(record, work, ports),
          terminal: processOf(record, ports.host).map(({ pid }) => terminals.get(pid))[0],
        }),
        waits: [...(waits.get(agent.id) ?? [])],
        ...defined({
          uncommitted: uncommittedOf(agent.id, files, most),
          lastActivity: activity.get(agent.id),
        }),
        ...(await protectionOf(agent, ports)),
      };
    }),
  );
}

/** A pid of another machine names another process here; without its start time it may be a later one. */
function processOf({ pid, processStart, host }: WatchedAgent, here: string): { pid: number; start: string }[] {
  return pid === undefined || processStart === undefined || host !== here ? [] : [{ pid, start: processStart }];
}

async function taskOf(
  { client, sessionKey, workItem }: AgentRecord,
  { workItems }: Work,
  { titleOfNode }: PresentPorts,
): Promise<string | undefined> {
  const claimed = workItem?.title ?? workItems.at(-1)?.title;
  return claimed ?? (client === ownClient ? titleOfNode(sessionKey) : undefined);
}

/** Guards are for agents: a person at a keyboard is not one that lacks them. */
async function protectionOf(agent: Agent, { guardOf, shellOf }: PresentPorts): Promise<Protection> {
  if (agent.client === "human") return { guard: "person", shell: "person" };
  return { ...(await guardOf(agent)), ...(await shellOf(agent)) };
}
