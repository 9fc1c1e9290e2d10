/** Keeps the history of a run: each message in the event log, and a summary in the archive. */
import { type HistoryEntry, type Message, run as contract, type RunId } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { Store } from "../../platform/store/index.ts";
import { nodesOf } from "./run-nodes.ts";
import type { RunTx } from "./store.ts";

type Ports = {
  readonly store: Store<RunTx>;
  readonly clock: Clock;
  /** Removes secrets. */
  readonly clean: <T>(value: T) => T;
};

export async function keepMessage(id: RunId, message: Message, { store, clean }: Ports): Promise<void> {
  await store.transact(id, async (tx) => {
    const { project, session } = (await tx.runs.find(id))!;
    const data = { run: id, session, message: { ...clean(message) } };
    await tx.events.append(project, contract.RunMessage.of(id, data));
  });
}

/** Archives all records of the run. A run that ends again replaces its entry. */
export async function archiveRun(
  id: RunId,
  { title, content }: Pick<HistoryEntry, "title" | "content">,
  { store, clock, clean }: Ports,
): Promise<void> {
  await store.transact(id, async (tx) => {
    const { session, project, cost } = (await tx.runs.find(id))!;
    const work = (await nodesOf(id, tx.dags)).filter(({ spec }) => spec.kind === "engineer");
    const nodes = work.map(({ spec: { title, round }, record: { state, attempt, error, result }, row }) => ({
      title,
      round,
      state,
      attempt,
      agent: row?.agent,
      error: error?.message,
      result,
    }));
    const findings = await tx.runs.findingsOf(id);
    const kept = clean({ ...content, nodes, findings, cost });
    await tx.archive.keep(project, { id, session, category: "workflow", title, content: kept, at: clock.now() });
  });
}
