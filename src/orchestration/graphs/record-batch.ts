/**
 * Records a batch of the engine's decisions as rows and events, in one transaction, before the engine acts on them.
 *
 *   entries -> versions, node rows, approvals -> follower: the events, and for a run its plan, checks and status
 */
import { dag as contract, type DagId, type DagStatus } from "../../contract/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import { type ApprovalTx, askPerson, settle } from "../approvals/index.ts";
import { type JournalEntry, type NodeTransition, recordAfter } from "../dag/index.ts";
import type { ProcessTx } from "../executors/index.ts";
import { specOf } from "./graph.ts";
import type { Decision } from "./node-approval.ts";
import type { GraphRecord, GraphRepository, StoredStatus } from "./store.ts";

export type GraphTx = ApprovalTx & ProcessTx & { readonly dags: GraphRepository };
type About = Pick<GraphRecord, "id" | "project" | "session">;

/** Writes further consequences of a change, in the same transaction. */
export type GraphFollower<Tx = GraphTx> = {
  changed(about: GraphRecord, batch: FollowedBatch, tx: Tx, now: number): Promise<void>;
  statusChanged(about: GraphRecord, to: StoredStatus, reason: string | undefined, tx: Tx, now: number): Promise<void>;
};
export type FollowedBatch = {
  readonly entries: readonly JournalEntry[];
  readonly transitions: readonly NodeTransition[];
  /** The new version, after an adjustment. */
  readonly version: number | undefined;
};

export type Batch = {
  readonly entries: readonly JournalEntry[];
  /** Outputs of attempts that end with a transition. Recording one removes it here. */
  readonly outputs: Map<string, string>;
  readonly now: number;
  readonly ids: IdSource;
};

/** The most transitions in one event, so that 100,000 nodes that become ready at once do not make one huge event. */
const mostInEvent = 500;
const ended: ReadonlySet<string> = new Set(["succeeded", "failed", "skipped", "cancelled"]);

export async function recordBatch<Tx extends GraphTx>(
  about: GraphRecord,
  { entries, outputs, now, ids }: Batch,
  tx: Tx,
  follower: GraphFollower<Tx> = dagEvents,
): Promise<void> {
  const last = new Map<string, NodeTransition>();
  const transitions: NodeTransition[] = [];
  let version: number | undefined;
  for (const entry of entries) {
    if (entry.kind === "transition") {
      transitions.push(entry.transition);
      last.set(entry.transition.node, entry.transition);
      await followApproval(about, entry.transition, tx, ids);
      continue;
    }
    const { add = [], replace = [], remove = [] } = entry.adjustment;
    const nodes = Object.fromEntries([...add, ...replace].map((node) => [node.id, specOf(node)]));
    for (const name of [...remove, ...replace.map(({ id }) => id)]) {
      last.delete(name);
      await forgetApproval(about, name, tx, now);
    }
    version = entry.version;
    const terms = { version, grownBy: add.length - remove.length, at: now };
    await tx.dags.addChange(about.id, { nodes, remove }, terms);
  }
  for (const transition of last.values()) await saveNode(about, transition, outputs, tx);
  await follower.changed(about, { entries, transitions, version }, tx, now);
}

/** Appends the events of graphs that a person or an agent wrote. */
export const dagEvents: GraphFollower = {
  async changed(about, { transitions, version }, tx) {
    for (let start = 0; start < transitions.length; start += mostInEvent)
      await append(about, tx, { transitions: transitions.slice(start, start + mostInEvent).map(eventOf) });
    if (version !== undefined) await append(about, tx, { transitions: [], version });
  },
  statusChanged: (about, status, reason, tx) =>
    append(about, tx, { transitions: [], status, ...(reason === undefined ? {} : { reason }) }),
};

/** While a node waits for approval, it has a row in the approvals. */
async function followApproval(about: About, transition: NodeTransition, tx: GraphTx, ids: IdSource): Promise<void> {
  const { node, from, to, block, at, answers, cause, reason } = transition;
  if (to === "blocked" && block?.on === "approval") {
    const kind = about.id.startsWith("run_") ? "plan" : "node";
    const { question, details = [] } = block;
    await askPerson(about, { kind, question, details, node }, tx, { ids, now: at });
    return;
  }
  if (from !== "blocked") return;
  for (const waiting of await tx.approvals.list({ graph: about.id, project: undefined, waitingOnly: true })) {
    if (waiting.node !== node || !approvalKinds.has(waiting.kind)) continue;
    const given = cause === "answered" ? (answers?.at(-1)?.answer as Decision | undefined) : undefined;
    const decided = given?.decision === "approve" ? "approved" : "rejected";
    await settle(waiting, about.project, { status: decided, reason: given?.reason ?? reason }, tx, { now: () => at });
  }
}

/** Withdraws the approval of a node that was replaced or removed. */
async function forgetApproval({ id, project }: About, node: string, tx: GraphTx, now: number): Promise<void> {
  for (const waiting of await tx.approvals.list({ graph: id, project: undefined, waitingOnly: true }))
    if (waiting.node === node) await settle(waiting, project, { status: "expired" }, tx, { now: () => now });
}

/** Approvals that an answer to their node decides. */
const approvalKinds: ReadonlySet<string> = new Set(["node", "plan"]);

async function saveNode(
  { id }: About,
  transition: NodeTransition,
  outputs: Batch["outputs"],
  tx: GraphTx,
): Promise<void> {
  const { node, to: state, at } = transition;
  const endedAt = ended.has(state) ? at : undefined;
  await tx.dags.saveNode(id, { node, state, record: recordAfter(transition), endedAt });
  const output = outputs.get(node);
  if (output === undefined || state === "running") return;
  await tx.dags.saveOutput(id, node, output);
  outputs.delete(node);
}

export async function changeStatus<Tx extends GraphTx>(
  about: GraphRecord,
  to: StoredStatus,
  reason: string | undefined,
  tx: Tx,
  now: number,
  follower: GraphFollower<Tx> = dagEvents,
): Promise<void> {
  await tx.dags.setStatus(about.id, to, reason, now);
  await follower.statusChanged(about, to, reason, tx, now);
}

type Told = {
  readonly transitions: readonly ReturnType<typeof eventOf>[];
  readonly status?: DagStatus;
  readonly reason?: string;
  readonly version?: number;
};

async function append({ id, project, session }: About, tx: GraphTx, { transitions, ...rest }: Told): Promise<void> {
  await tx.events.append(
    project,
    contract.DagChanged.of(id, { dag: id as DagId, session, transitions: [...transitions], ...rest }),
  );
}

function eventOf({ node, from, to, at, attempt, error, block, cause }: NodeTransition) {
  const why: string | undefined = cause ?? block?.question;
  return {
    node,
    from,
    to,
    at,
    attempt,
    ...(error === undefined ? {} : { error: error.message }),
    ...(why === undefined ? {} : { cause: why }),
  };
}
