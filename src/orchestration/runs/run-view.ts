/** A run as `sylk run` shows it: its row with the nodes of its graph, checks and findings. */
import { DomainError, type Caller, type NodeId, type Run, type RunId, type RunNode } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { GraphRepository } from "../graphs/index.ts";
import type { Workspace } from "../sessions/index.ts";
import { type KnownNode, nodesOf } from "./run-nodes.ts";
import type { RunRecord, RunRepository } from "./store.ts";

export type RunReader = { readonly runs: RunRepository; readonly dags: GraphRepository };

export async function viewRun(record: RunRecord, { runs, dags }: RunReader): Promise<Run> {
  const { options: _o, workspace: _w, cleared: _c, reason, label, model, plan, commit, mergedAs, ...shown } = record;
  const [graph, nodes, checks, findings] = await Promise.all([
    dags.find(record.id),
    nodesOf(record.id, dags),
    runs.checksOf(record.id),
    runs.findingsOf(record.id),
  ]);
  return {
    ...shown,
    ...defined({ reason, label, model, plan, workspace: existingWorkspace(record), commit, mergedAs }),
    version: graph?.version ?? 1,
    nodes: nodes.map(viewNode),
    checks: [...checks],
    findings: [...findings],
  };
}

/** Undefined once its tree and branch are gone. */
export function existingWorkspace({ workspace, outcome, cleared }: RunRecord): Workspace | undefined {
  return cleared || outcome === "discarded" ? undefined : workspace;
}

function viewNode({ id, spec, record, row }: KnownNode): RunNode {
  const { kind, title, role, prompt, dependsOn, files, round } = spec;
  const { state, attempt, error, block, result, cause, reason, retryAt } = record;
  const { summary, notes } = (result ?? {}) as { readonly summary?: unknown; readonly notes?: string[] };
  return {
    id: id as NodeId,
    kind,
    title,
    role,
    prompt,
    dependsOn: [...dependsOn] as NodeId[],
    ...(files && { files: [...files] }),
    round,
    state,
    attempt,
    ...defined({
      agent: row?.agent,
      startedAt: row?.startedAt,
      endedAt: row?.endedAt,
      retryAt,
      summary: typeof summary === "string" ? summary : undefined,
      notes: state === "succeeded" ? notes : undefined,
      error: error?.message,
      cause: reason ?? cause,
      question: state === "blocked" ? block?.question : undefined,
    }),
  };
}

export async function findRun(id: RunId, caller: Caller, runs: RunRepository): Promise<RunRecord> {
  const record = await runs.find(id);
  if (record === undefined)
    throw new DomainError("run.not-found", `There is no run ${id}; "sylk runs" lists them`, { details: { id } });
  if (caller.kind === "agent" && caller.project.id !== record.project)
    throw new DomainError("caller.denied", `${id} belongs to another project`, {
      details: { needed: "a token of that project" },
    });
  return record;
}
