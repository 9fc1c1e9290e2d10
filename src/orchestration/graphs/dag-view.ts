/** A DAG run as `sylk dag` shows it. */
import {
  type Caller,
  type Dag,
  type DagId,
  type DagNode,
  type DagStatus,
  DomainError,
  type GraphId,
} from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import { suggestion } from "../../platform/nearest-name.ts";
import type { BlockRequest, NodeRecord } from "../dag/index.ts";
import { foldChanges, type Graph, roleOf, shownText } from "./graph.ts";
import type { NodeResult } from "./node-input.ts";
import type { GraphRecord, GraphRepository, GraphTally, NodeRow, WrittenSpec } from "./store.ts";

const longestText = 300;
export const untouched: NodeRecord = { state: "pending", attempt: 0, retries: 0 };

export async function findDag(id: GraphId, caller: Caller, dags: GraphRepository): Promise<GraphRecord> {
  const record = await dags.find(id);
  if (record === undefined)
    throw new DomainError("dag.not-found", `There is no DAG run ${id}; "sylk dag list" lists them`, {
      details: { id },
    });
  if (caller.kind === "agent" && caller.project.id !== record.project)
    throw new DomainError("caller.denied", `${id} belongs to another project`, {
      details: { needed: "a token of that project" },
    });
  return record;
}

export type Eta = number | "unknown";
/** Facts that only the engine of a running graph knows. */
export type LiveFacts = {
  readonly etaMs: Eta;
  /** By node that waits for a reservation: which agent holds the paths. */
  readonly causes: ReadonlyMap<string, string>;
};
export const notLive: LiveFacts = { etaMs: "unknown", causes: new Map() };

export async function viewDag(
  record: GraphRecord,
  dags: GraphRepository,
  { etaMs, causes }: LiveFacts = notLive,
  only?: string,
): Promise<Dag> {
  const graph = foldChanges(await dags.changesOf(record.id));
  if (only !== undefined) refuseUnknown(record.id, only, graph);
  const rows = new Map((await dags.nodesOf(record.id)).map((row) => [row.node, row]));
  const names = only === undefined ? [...graph.keys()] : [only];
  const nodes = names.map((name) => viewNode(name, graph.get(name) as WrittenSpec, rows.get(name), causes.get(name)));
  const output = only === undefined ? undefined : await dags.outputOf(record.id, only);
  const { artifacts } = ((only === undefined ? undefined : rows.get(only)?.record.result) ?? {}) as Partial<NodeResult>;
  const labels = [...rows.values()].map(({ record: { result } }) => (result as NodeResult | undefined)?.label);
  const label = labels.find((said) => said !== undefined);
  const tally = await dags.tallyOf(record.id);
  const { id, session, project, name, reason, options, version, since, createdAt, updatedAt } = record;
  return {
    id: id as DagId,
    session,
    project,
    name,
    status: shownStatus(record, tally),
    ...(reason === undefined ? {} : { reason }),
    ...(label === undefined ? {} : { label }),
    mode: options.mode,
    policy: options.policy,
    version,
    nodes: only === undefined ? nodes : nodes.map((node) => ({ ...node, ...defined({ output, artifacts }) })),
    progress: { done: tally.done, total: graph.size },
    etaMs,
    since,
    createdAt,
    updatedAt,
  };
}

export function shownStatus({ status }: Pick<GraphRecord, "status">, { open, blocked }: GraphTally): DagStatus {
  return status === "running" && blocked > 0 && open === 0 ? "waiting" : status;
}

export function refuseUnknown(id: GraphId, node: string, graph: Graph): void {
  if (graph.has(node)) return;
  const near = suggestion(node, graph.size <= 1_000 ? [...graph.keys()] : []);
  const code = id.startsWith("run_") ? "run.not-found" : "dag.not-found";
  throw new DomainError(code, `${id} has no node ${JSON.stringify(node)}${near}`, { details: { id, node } });
}

function viewNode(name: string, spec: WrittenSpec, row: NodeRow | undefined, holder: string | undefined): DagNode {
  const record = row?.record ?? untouched;
  const { attempt, retryAt, error, reason, block, result } = record;
  const cause = reason ?? record.cause;
  const exitCode = (result as NodeResult | undefined)?.exitCode;
  const startedAt = row?.startedAt;
  // The node is dispatched, but its process has not started: it waits for a pool slot.
  const state = record.state === "running" && startedAt === undefined ? "queued" : record.state;
  return {
    name,
    kind: spec.run === undefined ? "prompt" : "command",
    text: shownText(spec, longestText),
    role: roleOf(spec),
    dependsOn: [...spec.dependsOn],
    state,
    attempt,
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(row?.endedAt === undefined ? {} : { endedAt: row.endedAt }),
    ...(retryAt === undefined ? {} : { retryAt }),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(error === undefined ? {} : { error: error.message }),
    ...(cause === undefined ? {} : { cause }),
    ...(block === undefined ? {} : whyBlocked(block, holder)),
  };
}

/** A reservation needs no answer from a person. So the holder is shown as the cause, not as a question. */
function whyBlocked({ on, question }: BlockRequest, holder = question): Partial<DagNode> {
  return { blockedOn: on, ...(on === "reservation" ? { cause: holder } : { question }) };
}
