/** An incident as all surfaces show it. */
import type { Cause, Incident } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import { fixes } from "./read-cause.ts";
import type { IncidentRecord } from "./store.ts";

const causeNames: Readonly<Record<Cause, string>> = {
  "daemon-down": "daemon down",
  "disk-full": "disk full",
  "store-locked": "store locked",
  "store-unusable": "store unusable",
  "provider-down": "provider down",
  unknown: "unknown cause",
};

export function incidentView(record: IncidentRecord): Incident {
  const { id, cause, rule, components, failures, lastError, openedAt, lastFailureAt } = record;
  const { escalatedAt, resolvedAt, resolution, resolvedWhy } = record;
  return {
    id,
    cause,
    rule,
    summary: summaryOf(record),
    components: components.map(({ label }) => label),
    failures,
    ...(lastError === "" ? {} : { lastError }),
    openedAt,
    lastFailureAt,
    ...defined({ escalatedAt, resolvedAt, resolution, resolvedWhy }),
    fix: fixes[cause],
  };
}

function summaryOf({ rule, cause, components, failures }: IncidentRecord): string {
  const [first] = components;
  const times = `failed ${failures} times`;
  if (rule === "agent-failing") return `${first!.label} ${times}${cause === "unknown" ? "" : `: ${causeNames[cause]}`}`;
  if (components.length === 1) return `${causeNames[cause]}: ${first!.label} ${times}`;
  return `${causeNames[cause]}: ${components.length} components ${times}`;
}
