/** What a person does to a DAG run: stop it, let it go on, decide about single nodes, change the graph. */
import { type Caller, type DagId, DomainError, type InputOf, type OutputOf } from "../../contract/index.ts";
import { actorOf } from "../../platform/audit/index.ts";
import type { Call } from "../../platform/operations/index.ts";
import { DagRefusal, type DagRun, InvalidDag } from "../dag/index.ts";
import { refuseAtRest } from "../sessions/index.ts";
import { findDag, refuseUnknown, viewDag } from "./dag-view.ts";
import { acceptNodes, engineNode, foldChanges, placed, refuse } from "./graph.ts";
import type { Decision } from "./node-approval.ts";
import { changeStatus } from "./record-batch.ts";
import type { DagPorts, DagRepositories } from "./start-dag-run.ts";
import type { DagRecord, StoredStatus } from "./store.ts";

type Answer = OutputOf<"dag.show">;
type DagCall = Pick<Call<DagRepositories>, "caller">;

const underWay: readonly StoredStatus[] = ["running", "paused"];

export async function cancelDag(
  { id, reason }: InputOf<"dag.cancel">,
  { caller }: DagCall,
  ports: DagPorts,
): Promise<Answer> {
  const record = await findDag(id, caller, ports.store.reader.dags);
  refuseUnless(record, underWay, "cancelled");
  const run = await ports.host.launch(id, { paused: true });
  run.cancel(reason);
  await ports.host.over(id);
  return show(id, caller, ports);
}

export async function pauseDag(
  { id, abort }: InputOf<"dag.pause">,
  { caller }: DagCall,
  ports: DagPorts,
): Promise<Answer> {
  const record = await findDag(id, caller, ports.store.reader.dags);
  refuseUnless(record, ["running"], "paused");
  await ports.host.launch(id, { paused: true });
  ports.host.pause(id, abort ? "abort" : "finish");
  await setStatus(record, "paused", `go on with "sylk dag resume ${id}"`, ports);
  return show(id, caller, ports);
}

export async function resumeDag({ id }: InputOf<"dag.resume">, { caller }: DagCall, ports: DagPorts): Promise<Answer> {
  const record = await findDag(id, caller, ports.store.reader.dags);
  refuseUnless(record, ["paused"], "resumed");
  await refuseRestingSession(record, ports);
  await setStatus(record, "running", undefined, ports);
  await ports.host.unpause(id);
  return show(id, caller, ports);
}

export async function retryNode(
  { id, node }: InputOf<"dag.retry">,
  { caller }: DagCall,
  ports: DagPorts,
): Promise<Answer> {
  const record = await findNode(id, node, caller, ports);
  await refuseRestingSession(record, ports);
  const ended = !underWay.includes(record.status) && ports.host.live(id) === undefined;
  if (ended) {
    await translated(id, () => ports.host.launch(id, { retry: [node] }));
    await ports.host.recorded(id);
  } else await ask(record, (run) => run.retry(node), ports);
  return show(id, caller, ports);
}

export async function skipNode(
  { id, node, reason = "skipped by request", treatAsDone }: InputOf<"dag.skip">,
  { caller }: DagCall,
  ports: DagPorts,
): Promise<Answer> {
  const record = await findNode(id, node, caller, ports);
  refuseUnless(record, underWay, "changed");
  await ask(record, (run) => run.skip(node, reason, { treatAsDone }), ports);
  return show(id, caller, ports);
}

export async function answerNode(
  { id, node, decision, reason }: InputOf<"dag.answer">,
  { caller }: DagCall,
  ports: DagPorts,
): Promise<Answer> {
  const record = await findNode(id, node, caller, ports);
  refuseUnless(record, underWay, "answered");
  const asked = (await ports.store.reader.dags.nodesOf(id)).find((row) => row.node === node)?.record;
  if (asked?.block?.on === "reservation")
    throw new DomainError(
      "dag.not-possible",
      `${id}: ${JSON.stringify(node)} waits for a reservation, not for an answer; it goes on by itself once the paths are free: ${asked.block.question}`,
      { details: { id, node } },
    );
  const answer: Decision = { decision, reason, attempt: asked?.attempt ?? 0 };
  await ask(record, (run) => run.unblock(node, answer), ports);
  await ports.store.transact(id, (tx) =>
    tx.audit.append({
      actor: actorOf(caller),
      action: decision === "approve" ? "dag.node-approved" : "dag.node-rejected",
      subject: id,
      project: record.project,
      details: { node },
    }),
  );
  return show(id, caller, ports);
}

export async function adjustDag(
  { id, nodes, remove, expectedVersion }: InputOf<"dag.adjust">,
  { caller }: DagCall,
  ports: DagPorts,
): Promise<Answer> {
  const record = await findDag(id, caller, ports.store.reader.dags);
  refuseUnless(record, underWay, "adjusted");
  const graph = foldChanges(await ports.store.reader.dags.changesOf(id));
  const problems: { path: string; message: string }[] = [];
  const specs = Object.entries(acceptNodes(nodes, ports.rules, problems));
  refuse("dag.adjust", problems);
  const [known, fresh] = [specs.filter(([name]) => graph.has(name)), specs.filter(([name]) => !graph.has(name))];
  const adjustment = {
    add: fresh.map(([name, spec]) => engineNode(name, spec)),
    replace: known.map(([name, spec]) => engineNode(name, spec)),
    remove,
  };
  await ask(record, (run) => run.adjust(adjustment, { expectedVersion: expectedVersion ?? record.version }), ports);
  return show(id, caller, ports);
}

/** Asks the run's engine, which is brought up without starting anything when the run is paused. */
async function ask(
  { id, status }: DagRecord,
  request: (run: DagRun) => Promise<unknown>,
  { host }: DagPorts,
): Promise<void> {
  const run = await host.launch(id, { paused: status === "paused" });
  await translated(id, () => request(run));
}

const codes = {
  "unknown-node": "dag.not-found",
  "wrong-state": "dag.not-possible",
  "run-ending": "dag.not-possible",
  "run-ended": "dag.not-possible",
  "stale-version": "dag.stale",
} as const satisfies Record<DagRefusal["reason"], string>;

async function translated(id: DagId, request: () => Promise<unknown>): Promise<void> {
  try {
    await request();
  } catch (error) {
    if (error instanceof InvalidDag) refuse("dag.adjust", error.problems.map(placed));
    if (!(error instanceof DagRefusal)) throw error;
    const { reason, node, currentVersion } = error;
    throw new DomainError(codes[reason], `${id}: ${error.message}`, {
      details: {
        id,
        ...(node === undefined ? {} : { node }),
        ...(currentVersion === undefined ? {} : { version: currentVersion }),
      },
      cause: error,
    });
  }
}

async function findNode(id: DagId, node: string, caller: Caller, { store }: DagPorts): Promise<DagRecord> {
  const record = await findDag(id, caller, store.reader.dags);
  refuseUnknown(id, node, foldChanges(await store.reader.dags.changesOf(id)));
  return record;
}

async function refuseRestingSession({ session }: DagRecord, { store }: DagPorts): Promise<void> {
  const known = await store.reader.sessions.find(session);
  if (known !== undefined) refuseAtRest(known);
}

async function setStatus(
  record: DagRecord,
  to: StoredStatus,
  reason: string | undefined,
  { store, clock }: DagPorts,
): Promise<void> {
  await store.transact(record.id, async (tx) => {
    // It may have ended in the meantime; that stands.
    const now = await tx.dags.find(record.id);
    if (now?.status === record.status) await changeStatus(record, to, reason, tx, clock.now());
  });
}

function refuseUnless({ id, status }: DagRecord, allowed: readonly StoredStatus[], what: string): void {
  if (allowed.includes(status)) return;
  const wayOut = underWay.includes(status) ? "" : '; "sylk dag retry" takes up one of its nodes again';
  throw new DomainError("dag.not-possible", `${id} is ${status} and cannot be ${what}${wayOut}`, {
    details: { status, allowed },
  });
}

async function show(id: DagId, caller: Caller, { store: { reader }, host }: DagPorts): Promise<Answer> {
  return { dag: await viewDag(await findDag(id, caller, reader.dags), reader.dags, await host.factsOf(id)) };
}
