/** Keeps the history of a run: each message in the event log, and a summary in the archive. */
import { type HistoryEntry, type Message, run as contract, type RunId } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { Store } from "../../platform/store/index.ts";
import { definitionOf, nodeResult, skippedWork, timesOf } from "../graphs/index.ts";
import { type KnownNode, nodesOf } from "./run-nodes.ts";
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
    const { session, project, cost, createdAt, plan } = (await tx.runs.find(id))!;
    const known = await nodesOf(id, tx.dags);
    const work = known.filter(({ spec }) => spec.kind === "engineer");
    const nodes = work.map(({ spec: { title, round }, record, row }) => ({
      title,
      round,
      ...nodeResult(row ?? { node: "", record, startedAt: undefined, endedAt: undefined, agent: undefined }),
      result: record.result,
    }));
    const findings = await tx.runs.findingsOf(id);
    const at = clock.now();
    const corrections = correctionsIn(known);
    const kept = clean({ ...content, ...timesOf(createdAt, at), corrections, nodes, findings, cost });
    const workflow = clean(definitionOf(new Map(known.map(({ id: node, spec }) => [node, spec]))));
    const about = { id, session, category: "workflow", source: "orchestrator", at, workflow };
    await tx.archive.keep(project, { ...about, title: clean(title), content: kept });
    const done = work.filter(({ record }) => record.state === "succeeded").length;
    const each = done === 0 ? 0 : Math.round((cost.inputTokens + cost.outputTokens) / done);
    const skipped = [
      ...work.filter(({ record }) => record.treatedAsDone === true).map(({ id: node }) => node),
      ...(plan?.existing ?? []).map((existing) => clean(existing.title)),
    ];
    for (const what of skipped) await tx.archive.addSaving(project, skippedWork(session, `${id}: ${what}`, each, at));
  });
}

/** Rounds of work that no plan began. */
function correctionsIn(nodes: readonly KnownNode[]): number {
  const roundsOf = (kind: string) =>
    new Set(nodes.filter(({ spec }) => spec.kind === kind).map(({ spec }) => spec.round));
  const planned = roundsOf("plan");
  return [...roundsOf("engineer")].filter((round) => !planned.has(round)).length;
}
