/** A finding as callers see it: its first report, and what all reports say together. */
import type { Finding, PublishedFinding } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { FindingRecord } from "./store.ts";

const mostPlaces = 50;
const evidenceInLists = 500;

export function viewFinding({ id, reports, state }: FindingRecord): PublishedFinding {
  const [{ root: _root, project: _project, model: _model, publishedAt, ...first }] = reports;
  const sources = new Set(reports.map(({ agent, model }) => model ?? agent.id));
  const { level } = reports.find(({ severity }) => severity === state.worst) ?? {};
  return {
    ...first,
    id,
    by: first.agent.name,
    severity: state.worst,
    ...defined({ level }),
    files: placesOf(reports),
    status: state.status,
    ...defined({ mark: state.mark, workItem: state.workItem }),
    reports: reports.map(({ agent, model, publishedAt: reportedAt }) => ({
      agent,
      ...defined({ model }),
      reportedAt,
    })),
    agreement: sources.size,
    publishedAt,
  };
}

/** In a list, evidence is a beginning: the whole of it is one call away. */
export function viewBriefly(record: FindingRecord): PublishedFinding {
  const finding = viewFinding(record);
  const { evidence } = finding;
  if (evidence === undefined || evidence.length <= evidenceInLists) return finding;
  return { ...finding, evidence: `${evidence.slice(0, evidenceInLists)}…` };
}

function placesOf(reports: FindingRecord["reports"]): Finding["files"] {
  const places = new Map(
    reports.flatMap(({ files }) => files).map((file) => [`${file.path}:${file.line ?? ""}`, file]),
  );
  return [...places.values()].slice(0, mostPlaces);
}
