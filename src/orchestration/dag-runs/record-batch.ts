/** What the engine decided in one go becomes rows and an event, in one transaction, before anything of it is acted on. */
import { dag as contract, type DagStatus } from "../../contract/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import { type ApprovalTx, askPerson, settle } from "../approvals/index.ts";
import { type JournalEntry, type NodeTransition, recordAfter } from "../dag/index.ts";
import type { ProcessTx } from "../executors/index.ts";
import { specOf } from "./graph.ts";
import type { Decision } from "./node-approval.ts";
import type { DagRecord, DagRepository, StoredStatus } from "./store.ts";

export type DagTx = ApprovalTx & ProcessTx & { readonly dags: DagRepository };
type About = Pick<DagRecord, "id" | "project" | "session">;

export type Batch = {
  readonly entries: readonly JournalEntry[];
  /** What nodes said in the attempt that a transition ends; taken out as it is recorded. */
  readonly outputs: Map<string, string>;
  readonly now: number;
  readonly ids: IdSource;
};

/** Whoever follows a run gets its changes in bites, also when a hundred thousand nodes become ready at once. */
const mostInEvent = 500;
const ended: ReadonlySet<string> = new Set(["succeeded", "failed", "skipped", "cancelled"]);

export async function recordBatch(about: About, { entries, outputs, now, ids }: Batch, tx: DagTx): Promise<void> {
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
    for (const name of [...remove, ...replace.map(({ id }) => id)]) last.delete(name);
    version = entry.version;
    const terms = { version, grownBy: add.length - remove.length, at: now };
    await tx.dags.addChange(about.id, { nodes, remove }, terms);
  }
  for (const transition of last.values()) await saveNode(about, transition, outputs, tx);
  for (let start = 0; start < transitions.length; start += mostInEvent)
    await append(about, tx, { transitions: transitions.slice(start, start + mostInEvent).map(told) });
  if (version !== undefined) await append(about, tx, { transitions: [], version });
}

/** A node that waits for a person has a row among the approvals, from its first moment to its last. */
async function followApproval(about: About, transition: NodeTransition, tx: DagTx, ids: IdSource): Promise<void> {
  const { node, from, to, block, at, answers, cause, reason } = transition;
  if (to === "blocked" && block?.on === "approval") {
    await askPerson(about, { kind: "node", question: block.question, node }, tx, { ids, now: at });
    return;
  }
  if (from !== "blocked") return;
  for (const waiting of await tx.approvals.list({ graph: about.id, project: undefined, waitingOnly: true })) {
    if (waiting.node !== node) continue;
    const given = cause === "answered" ? (answers?.at(-1)?.answer as Decision | undefined) : undefined;
    const decided = given?.decision === "approve" ? "approved" : "rejected";
    await settle(waiting, about.project, { status: decided, reason: given?.reason ?? reason }, tx, { now: () => at });
  }
}

async function saveNode(
  { id }: About,
  transition: NodeTransition,
  outputs: Batch["outputs"],
  tx: DagTx,
): Promise<void> {
  const { node, to: state, at } = transition;
  const endedAt = ended.has(state) ? at : undefined;
  await tx.dags.saveNode(id, { node, state, record: recordAfter(transition), endedAt });
  const output = outputs.get(node);
  if (output === undefined || state === "running") return;
  await tx.dags.saveOutput(id, node, output);
  outputs.delete(node);
}

export async function changeStatus(
  about: About,
  to: StoredStatus,
  reason: string | undefined,
  tx: DagTx,
  now: number,
): Promise<void> {
  await tx.dags.setStatus(about.id, to, reason, now);
  await append(about, tx, { transitions: [], status: to, ...(reason === undefined ? {} : { reason }) });
}

type Told = {
  readonly transitions: readonly ReturnType<typeof told>[];
  readonly status?: DagStatus;
  readonly reason?: string;
  readonly version?: number;
};

async function append({ id, project, session }: About, tx: DagTx, { transitions, ...rest }: Told): Promise<void> {
  await tx.events.append(
    project,
    contract.DagChanged.of(id, { dag: id, session, transitions: [...transitions], ...rest }),
  );
}

function told({ node, from, to, at, attempt, error, block, cause }: NodeTransition) {
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
