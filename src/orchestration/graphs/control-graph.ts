/**
 * Users and agents control a running graph: cancel, pause, resume, retry, skip, answer, adjust. Runs and graphs have the
 * same rules. `runs/guard-run.ts` has the rules that apply only to runs.
 */
import { type Caller, DomainError, type GraphId } from "../../contract/index.ts";
import { actorOf, type AuditRepository } from "../../platform/audit/index.ts";
import type { Store } from "../../platform/store/index.ts";
import { type Adjustment, DagRefusal, type DagRun, InvalidDag } from "../dag/index.ts";
import { refuseAtRest, type SessionTx } from "../sessions/index.ts";
import { refuseUnknown } from "./dag-view.ts";
import { foldChanges, withPath, refuse } from "./graph.ts";
import { resumeCommand } from "./graph-host.ts";
import type { GraphHost } from "./graph-host-port.ts";
import type { Decision } from "./node-approval.ts";
import type { GraphTx } from "./record-batch.ts";
import type { GraphRecord, StoredStatus } from "./store.ts";

export type ControlTx = GraphTx & SessionTx & { readonly audit: AuditRepository };
export type ControlPorts<Tx extends ControlTx = ControlTx> = {
  readonly store: Store<Tx>;
  readonly host: GraphHost<Tx>;
};

const underWay: readonly StoredStatus[] = ["running", "paused"];

export async function cancelGraph<Tx extends ControlTx>(
  record: GraphRecord,
  reason: string | undefined,
  { host }: ControlPorts<Tx>,
): Promise<void> {
  refuseUnless(record, underWay, "cancelled");
  const run = await host.launch(record.id, { paused: true });
  run.cancel(reason);
  await host.over(record.id);
}

export async function pauseGraph<Tx extends ControlTx>(
  record: GraphRecord,
  {
    abort,
    reason = `continue with "${resumeCommand(record.id)}"`,
  }: { readonly abort: boolean; readonly reason?: string },
  ports: ControlPorts<Tx>,
): Promise<void> {
  refuseUnless(record, ["running"], "paused");
  await ports.host.launch(record.id, { paused: true });
  ports.host.pause(record.id, abort ? "abort" : "finish");
  await setStatus(record, "paused", reason, ports);
}

export async function resumeGraph<Tx extends ControlTx>(record: GraphRecord, ports: ControlPorts<Tx>): Promise<void> {
  refuseUnless(record, ["paused"], "resumed");
  await refuseRestingSession(record, ports);
  await setStatus(record, "running", undefined, ports);
  await ports.host.unpause(record.id);
}

export async function retryNode<Tx extends ControlTx>(
  record: GraphRecord,
  node: string,
  ports: ControlPorts<Tx>,
): Promise<void> {
  const { id } = record;
  await refuseUnknownNode(record, node, ports);
  await refuseRestingSession(record, ports);
  await ports.host.ended(id);
  const current = (await ports.store.reader.dags.find(id)) ?? record;
  if (underWay.includes(current.status)) return sendRequest(current, (run) => run.retry(node), ports);
  await translateRefusals(id, () => ports.host.launch(id, { retry: [node] }));
  await ports.host.recorded(id);
}

/** Reopens a graph that has ended: adds nodes, and repeats one that waits for them. */
export async function extendGraph<Tx extends ControlTx>(
  record: GraphRecord,
  { repeat, adjustment }: { readonly repeat: string; readonly adjustment: Adjustment },
  ports: ControlPorts<Tx>,
): Promise<void> {
  const { id } = record;
  await refuseRestingSession(record, ports);
  await ports.host.ended(id);
  const { version } = (await ports.store.reader.dags.find(id)) ?? record;
  await translateRefusals(id, async () => {
    const run = await ports.host.launch(id, { retry: [repeat], paused: true });
    await run.adjust(adjustment, { expectedVersion: version });
  });
  await ports.host.recorded(id);
  await ports.host.unpause(id);
}

export type Skip = { readonly node: string; readonly reason: string | undefined; readonly treatAsDone: boolean };

export async function skipNode<Tx extends ControlTx>(
  record: GraphRecord,
  { node, reason = "skipped by request", treatAsDone }: Skip,
  ports: ControlPorts<Tx>,
): Promise<void> {
  await refuseUnknownNode(record, node, ports);
  refuseUnless(record, underWay, "changed");
  await sendRequest(record, (run) => run.skip(node, reason, { treatAsDone }), ports);
}

export type NodeDecision = {
  readonly node: string;
  readonly decision: Decision["decision"];
  readonly reason?: string | undefined;
};

export async function answerNode<Tx extends ControlTx>(
  record: GraphRecord,
  { node, decision, reason }: NodeDecision,
  caller: Caller,
  ports: ControlPorts<Tx>,
): Promise<void> {
  const { id, project } = record;
  await refuseUnknownNode(record, node, ports);
  refuseUnless(record, underWay, "answered");
  const asked = (await ports.store.reader.dags.nodesOf(id)).find((row) => row.node === node)?.record;
  if (asked?.block?.on === "reservation")
    throw notPossible(
      id,
      `${id}: ${JSON.stringify(node)} waits for a reservation and needs no answer. It continues once the paths are free: ${asked.block.question}`,
      { id, node },
    );
  if (asked?.block?.on === "clarification")
    throw notPossible(
      id,
      `${id}: ${JSON.stringify(node)} asks a question. Answer it with "sylk approve ${id} --answer <text>".`,
      {
        id,
        node,
      },
    );
  const answer: Decision = { decision, reason, attempt: asked?.attempt ?? 0 };
  await sendRequest(record, (run) => run.unblock(node, answer), ports);
  if (doorOf(id) === "run") return; // its approval is audited
  await ports.store.transact(id, (tx) =>
    tx.audit.append({
      actor: actorOf(caller),
      action: decision === "approve" ? "dag.node-approved" : "dag.node-rejected",
      subject: id,
      project,
      details: { node },
    }),
  );
}

export async function adjustGraph<Tx extends ControlTx>(
  record: GraphRecord,
  adjustment: Adjustment,
  expectedVersion: number | undefined,
  ports: ControlPorts<Tx>,
): Promise<void> {
  refuseUnless(record, underWay, "adjusted");
  await sendRequest(
    record,
    (run) => run.adjust(adjustment, { expectedVersion: expectedVersion ?? record.version }),
    ports,
  );
}

/** Sends a request to the graph's engine. For a paused graph, it launches the engine without starting any node. */
async function sendRequest<Tx extends ControlTx>(
  { id, status }: GraphRecord,
  request: (run: DagRun) => Promise<unknown>,
  { host }: ControlPorts<Tx>,
): Promise<void> {
  const run = await host.launch(id, { paused: status === "paused" });
  await translateRefusals(id, () => request(run));
}

async function translateRefusals(id: GraphId, request: () => Promise<unknown>): Promise<void> {
  try {
    await request();
  } catch (error) {
    if (error instanceof InvalidDag) refuse(`${doorOf(id)}.adjust`, error.problems.map(withPath));
    if (!(error instanceof DagRefusal)) throw error;
    const { reason, node, currentVersion } = error;
    throw new DomainError(codeOf(id, reason), `${id}: ${error.message}`, {
      details: {
        id,
        ...(node === undefined ? {} : { node }),
        ...(currentVersion === undefined ? {} : { version: currentVersion }),
      },
      cause: error,
    });
  }
}

function doorOf(id: GraphId): "run" | "dag" {
  return id.startsWith("run_") ? "run" : "dag";
}

function codeOf(id: GraphId, reason: DagRefusal["reason"]) {
  if (reason === "stale-version") return "dag.stale" as const;
  if (reason === "unknown-node") return `${doorOf(id)}.not-found` as const;
  return `${doorOf(id)}.not-possible` as const;
}

function notPossible(id: GraphId, message: string, details: Readonly<Record<string, unknown>>): DomainError {
  return new DomainError(`${doorOf(id)}.not-possible`, message, { details });
}

async function refuseUnknownNode<Tx extends ControlTx>(
  { id }: GraphRecord,
  node: string,
  { store }: ControlPorts<Tx>,
): Promise<void> {
  refuseUnknown(id, node, foldChanges(await store.reader.dags.changesOf(id)));
}

async function refuseRestingSession<Tx extends ControlTx>(
  { session }: GraphRecord,
  { store }: ControlPorts<Tx>,
): Promise<void> {
  const known = await store.reader.sessions.find(session);
  if (known !== undefined) refuseAtRest(known);
}

async function setStatus<Tx extends ControlTx>(
  record: GraphRecord,
  to: StoredStatus,
  reason: string | undefined,
  { store, host }: ControlPorts<Tx>,
): Promise<void> {
  await store.transact(record.id, async (tx) => {
    // The graph may have ended in the meantime. Then its final status stays.
    const now = await tx.dags.find(record.id);
    if (now?.status === record.status) await host.changeStatus(record, to, reason, tx);
  });
}

function refuseUnless({ id, status }: GraphRecord, allowed: readonly StoredStatus[], what: string): void {
  if (allowed.includes(status)) return;
  const graph = doorOf(id) === "run" ? `Run ${id}` : `DAG run ${id}`;
  const wayOut = underWay.includes(status)
    ? `That needs a run that is ${allowed.join(" or ")}.`
    : `Use "sylk ${doorOf(id)} retry" to run one of its nodes again.`;
  const message =
    status === what ? `${graph} is already ${status}.` : `${graph} is ${status}, so it cannot be ${what}. ${wayOut}`;
  throw notPossible(id, message, { status, allowed });
}
