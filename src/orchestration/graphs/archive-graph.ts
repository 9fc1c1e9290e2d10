/**
 * Archives a graph that has ended: its definition, the result and times of each node, and work that was skipped as done.
 * It happens in the transaction of the end, so that no graph ends unrecorded.
 */
import type { HistoryEntry } from "../../contract/index.ts";
import type { ArchiveRepository, WorkflowDefinition } from "../../knowledge/archive/index.ts";
import { defined } from "../../platform/defined.ts";
import { foldChanges, type Graph, isOfRun, roleOf, shownText } from "./graph.ts";
import { dagEvents, type GraphFollower, type GraphTx } from "./record-batch.ts";
import type { GraphRecord, NodeRow, NodeSpec } from "./store.ts";

type ArchiveTx = GraphTx & { readonly archive: ArchiveRepository };

/** An entry has to stay small, whatever the size of the graph. */
const mostNodes = 200;
const longestError = 500;
const longestText = 200;
const ended: ReadonlySet<string> = new Set(["succeeded", "failed", "cancelled"]);

/** For graphs that a person or an agent wrote. A run is archived with its conclusion. */
export function archivingGraphs<Tx extends ArchiveTx>(clean: <T>(value: T) => T): GraphFollower<Tx> {
  return {
    ...dagEvents,
    async statusChanged(about, to, reason, tx, now) {
      await dagEvents.statusChanged(about, to, reason, tx, now);
      if (ended.has(to)) await archiveGraph(about, { status: to, reason, now }, tx, clean);
    },
  };
}

async function archiveGraph(
  { id, session, project, name, createdAt }: GraphRecord,
  { status, reason, now }: { readonly status: string; readonly reason: string | undefined; readonly now: number },
  tx: ArchiveTx,
  clean: <T>(value: T) => T,
): Promise<void> {
  const graph = foldChanges(await tx.dags.changesOf(id));
  const rows = await tx.dags.nodesOf(id);
  const content: HistoryEntry["content"] = {
    status,
    ...defined({ reason }),
    ...timesOf(createdAt, now),
    nodes: rows.slice(0, mostNodes).map((row) => ({ title: row.node, ...nodeResult(row) })),
    nodeCount: graph.size,
    corrections: 0,
  };
  const workflow = clean(definitionOf(graph));
  const entry = clean({ title: name, content });
  await tx.archive.keep(project, {
    ...entry,
    id,
    session,
    category: "workflow",
    source: "orchestrator",
    at: now,
    workflow,
  });
  for (const { node, record } of rows)
    if (record.treatedAsDone === true)
      await tx.archive.addSaving(project, skippedWork(session, `${id}: ${node}`, 0, now));
}

export function timesOf(startedAt: number, endedAt: number) {
  return { startedAt, endedAt, durationMs: Math.max(0, endedAt - startedAt) };
}

export function nodeResult({ record: { state, attempt, error }, startedAt, endedAt, agent }: NodeRow) {
  const ms = startedAt === undefined || endedAt === undefined ? undefined : Math.max(0, endedAt - startedAt);
  return {
    state,
    attempt,
    ...defined({ agent, error: error?.message.slice(0, longestError), startedAt, endedAt, ms }),
  };
}

/** Without ids and results, so that the same work is the same definition each time. */
export function definitionOf(graph: Graph): WorkflowDefinition {
  const nodes = [...graph].filter(([, spec]) => !isOfRun(spec) || spec.kind === "engineer").slice(0, mostNodes);
  const titles = new Map(nodes.map(([node, spec]) => [node, titleOf(node, spec)]));
  return {
    nodes: nodes.map(([node, spec]) => ({
      title: titles.get(node)!,
      role: roleOf(spec),
      text: isOfRun(spec) ? spec.prompt.slice(0, longestText) : shownText(spec, longestText),
      dependsOn: (spec.dependsOn ?? []).flatMap((parent) => titles.get(parent) ?? []),
    })),
  };
}

function titleOf(node: string, spec: NodeSpec): string {
  return isOfRun(spec) ? spec.title : node;
}

export function skippedWork(session: GraphRecord["session"], what: string, avoided: number, at: number) {
  return { session, kind: "skipped-work", what, avoided, isMeasured: false, context: 0, serving: 0, at } as const;
}
