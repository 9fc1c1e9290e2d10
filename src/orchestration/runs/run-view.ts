/** A run as callers see it: its row with nodes, checks and findings. */
import { DomainError, type Caller, type Run, type RunId, type RunNode } from "../../contract/index.ts";
import type { NodeRow, RunRecord, RunRepository } from "./store.ts";

export async function viewRun(record: RunRecord, runs: RunRepository): Promise<Run> {
  const { options: _options, ...shown } = record;
  const [nodes, checks, findings] = await Promise.all([
    runs.nodesOf(record.id),
    runs.checksOf(record.id),
    runs.findingsOf(record.id),
  ]);
  return { ...defined(shown), nodes: nodes.map(viewNode), checks: [...checks], findings: [...findings] };
}

function viewNode({ record, ...node }: NodeRow): RunNode {
  const summary = (record?.result as { summary?: unknown } | undefined)?.summary;
  const question = node.state === "blocked" ? record?.block?.question : undefined;
  return {
    ...node,
    ...(typeof summary === "string" ? { summary } : {}),
    ...(question === undefined ? {} : { question }),
  };
}

/** Fields that are not there are left out, not null. */
function defined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;
}

export async function findRun(id: RunId, caller: Caller, runs: RunRepository): Promise<RunRecord> {
  const record = await runs.find(id);
  if (record === undefined)
    throw new DomainError("run.not-found", `There is no run ${id}; "sylk history" lists them`, { details: { id } });
  if (caller.kind === "agent" && caller.project.id !== record.project)
    throw new DomainError("caller.denied", `${id} belongs to another project`, {
      details: { needed: "a token of that project" },
    });
  return record;
}
