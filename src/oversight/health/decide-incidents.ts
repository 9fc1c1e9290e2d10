/**
 * Which failures are one incident, and when it is over. Pure: a state, one report (or none, when only time has passed)
 * and now give the next state and what has changed.
 *
 *   failure -> open incident of its cause, component or agent? -> joins it
 *           -> two components with one cause within 60 s      -> "correlated"
 *           -> more than 3 of one component within 5 min      -> "repeated", escalated
 *           -> 3 of one agent within an hour                  -> "agent-failing", escalated
 *   success of one of its parts, then a quiet while           -> resolved
 *
 * Invariant: at most one open incident for each key, so failures of one cause never make two.
 */
import type { Cause, Incident, ProjectId } from "../../contract/index.ts";
import { fingerprint, readCause } from "./read-cause.ts";
import { componentKey, componentLabel, isFailing, type Report } from "./report.ts";

export type Failure = {
  readonly at: number;
  readonly component: string;
  readonly label: string;
  readonly project: ProjectId | undefined;
  readonly cause: Cause;
  readonly error: string;
  /** Failures with the same one have one cause. */
  readonly causeKey: string;
  /** What fails, where nothing is known of the cause. */
  readonly subjectKey: string;
};

export type OpenIncident = {
  readonly key: string;
  readonly rule: Incident["rule"];
  readonly cause: Cause;
  readonly components: readonly { readonly key: string; readonly label: string }[];
  readonly projects: readonly ProjectId[];
  readonly failures: number;
  readonly lastError: string;
  readonly openedAt: number;
  readonly lastFailureAt: number;
  readonly escalatedAt: number | undefined;
  /** When one of its parts worked again, after the last failure. */
  readonly recoveredAt: number | undefined;
};

export type HealthState = { readonly failures: readonly Failure[]; readonly incidents: readonly OpenIncident[] };
export type Change =
  | { readonly what: "opened" | "joined" | "escalated" | "recovering"; readonly incident: OpenIncident }
  | { readonly what: "resolved"; readonly incident: OpenIncident; readonly how: "quiet" | "silent" };
export type Decision = { readonly state: HealthState; readonly changes: readonly Change[] };

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
export const rules = {
  correlatedWithinMs: minuteMs,
  /** More than this many within that time. */
  repeatedMore: 3,
  repeatedWithinMs: 5 * minuteMs,
  agentFailures: 3,
  agentWithinMs: hourMs,
  /** Without a report for so long, none will come. */
  silentMs: 7 * 24 * hourMs,
} as const;
/** A script decides what fails under these labels: it is counted, and is neither trouble nor its end. */
const labelsWithoutIncidents: ReadonlySet<string> = new Set(["rehearsal"]);
const mostFailures = 1_000;
const mostComponents = 50;

export const noTrouble: HealthState = { failures: [], incidents: [] };

export function decideIncidents(state: HealthState, reported: Report | undefined, now: number): Decision {
  const report = labelsWithoutIncidents.has(reported?.label ?? "") ? undefined : reported;
  if (report !== undefined && isFailing(report)) return failed(state, failureOf(report), now);
  const seen = report?.outcome === "ok" ? succeeded(state, report) : { state, changes: [] };
  const { state: settled, changes } = settle(seen.state, now);
  return { state: settled, changes: [...seen.changes, ...changes] };
}

function failureOf(report: Report): Failure {
  const cause = readCause(report);
  const component = componentKey(report);
  const error = report.error ?? (report.outcome === "timed-out" ? "timed out" : "");
  const print = fingerprint(error);
  return {
    at: report.at,
    component,
    label: componentLabel(report),
    project: report.project,
    cause,
    error,
    causeKey: cause === "unknown" ? (print === "" ? component : `error ${print}`) : `cause ${cause}`,
    subjectKey: report.kind === "agent" ? `agent ${report.component}` : component,
  };
}

function failed(state: HealthState, failure: Failure, now: number): Decision {
  const open = state.incidents.find(({ key }) => key === failure.causeKey || key === failure.subjectKey);
  // Nothing more can come of it; so a storm of failures costs no more than a count.
  if (open?.escalatedAt !== undefined) return changed(state, open, joined(open, failure), "joined");
  const recent = state.failures.filter(({ at }) => at > now - rules.agentWithinMs);
  const failures = [...recent, failure].slice(-mostFailures);
  const incident = open === undefined ? newIncident(failure, failures) : joined(open, failure);
  if (incident === undefined) return { state: { ...state, failures }, changes: [] };
  const escalates = incident.escalatedAt === undefined && isEscalated(incident, failure, failures);
  const standing = escalates ? { ...incident, escalatedAt: failure.at } : incident;
  const what = open === undefined ? "opened" : escalates ? "escalated" : "joined";
  return changed({ ...state, failures }, open, standing, what);
}

function changed(
  { failures, incidents }: HealthState,
  before: OpenIncident | undefined,
  incident: OpenIncident,
  what: "opened" | "joined" | "escalated",
): Decision {
  return {
    state: { failures, incidents: [...incidents.filter((other) => other !== before), incident] },
    changes: [{ what, incident }],
  };
}

function newIncident(failure: Failure, failures: readonly Failure[]): OpenIncident | undefined {
  const near = failures.filter(
    ({ causeKey, at }) => causeKey === failure.causeKey && Math.abs(at - failure.at) <= rules.correlatedWithinMs,
  );
  if (new Set(near.map(({ component }) => component)).size > 1) return incidentOf(failure.causeKey, "correlated", near);
  const own = failures.filter(({ subjectKey }) => subjectKey === failure.subjectKey);
  const repeated = busiest(own, failure, rules.repeatedWithinMs);
  if (repeated.length > rules.repeatedMore)
    // With a known cause others may yet join it by that cause.
    return incidentOf(failure.cause === "unknown" ? failure.subjectKey : failure.causeKey, "repeated", repeated);
  if (!failure.subjectKey.startsWith("agent ")) return undefined;
  const ofAgent = busiest(own, failure, rules.agentWithinMs);
  return ofAgent.length >= rules.agentFailures ? incidentOf(failure.subjectKey, "agent-failing", ofAgent) : undefined;
}

/** The most failures that any window of this length around one of them holds; times need not come in order. */
function busiest(failures: readonly Failure[], around: Failure, withinMs: number): readonly Failure[] {
  const starts = failures.map(({ at }) => at).filter((at) => at <= around.at && at > around.at - withinMs);
  const windows = starts.map((start) => failures.filter(({ at }) => at >= start && at < start + withinMs));
  return windows.reduce((most, window) => (window.length > most.length ? window : most), []);
}

function incidentOf(key: string, rule: Incident["rule"], failures: readonly Failure[]): OpenIncident {
  const [first, ...rest] = [...failures].sort((a, b) => a.at - b.at) as [Failure, ...Failure[]];
  const begun: OpenIncident = {
    key,
    rule,
    cause: first.cause,
    components: [{ key: first.component, label: first.label }],
    projects: first.project === undefined ? [] : [first.project],
    failures: 1,
    lastError: first.error,
    openedAt: first.at,
    lastFailureAt: first.at,
    escalatedAt: rule === "correlated" ? undefined : rest.at(-1)!.at,
    recoveredAt: undefined,
  };
  return rest.reduce(joined, begun);
}

function joined(incident: OpenIncident, failure: Failure): OpenIncident {
  const { component: key, label, project, at, error } = failure;
  const { components, projects } = incident;
  const isLatest = at >= incident.lastFailureAt;
  return {
    ...incident,
    components:
      components.some((known) => known.key === key) || components.length >= mostComponents
        ? components
        : [...components, { key, label }],
    projects: project === undefined || projects.includes(project) ? projects : [...projects, project],
    failures: incident.failures + 1,
    lastError: isLatest && error !== "" ? error : incident.lastError,
    openedAt: Math.min(incident.openedAt, at),
    lastFailureAt: Math.max(incident.lastFailureAt, at),
    recoveredAt: incident.recoveredAt !== undefined && incident.recoveredAt > at ? incident.recoveredAt : undefined,
  };
}

function isEscalated({ key }: OpenIncident, failure: Failure, failures: readonly Failure[]): boolean {
  const own = failures.filter(({ causeKey, subjectKey }) => causeKey === key || subjectKey === key);
  return busiest(own, failure, rules.repeatedWithinMs).length > rules.repeatedMore;
}

function succeeded(state: HealthState, report: Report): Decision {
  const key = componentKey(report);
  const changes: Change[] = [];
  const incidents = state.incidents.map((incident) => {
    const isPart = incident.components.some((component) => component.key === key);
    // Whatever the daemon itself does shows that it is there.
    const proves = isPart || (incident.cause === "daemon-down" && report.kind === "daemon");
    if (!proves || report.at <= incident.lastFailureAt || incident.recoveredAt !== undefined) return incident;
    const recovering = { ...incident, recoveredAt: report.at };
    changes.push({ what: "recovering", incident: recovering });
    return recovering;
  });
  return changes.length === 0 ? { state, changes } : { state: { ...state, incidents }, changes };
}

/**
 * Quiet counts from the first success on: without any report nothing was quiet. An incident of an hour's
 * failures needs an hour of it, else it would open again with the next one.
 */
function settle(state: HealthState, now: number): Decision {
  const changes: Change[] = [];
  const incidents = state.incidents.filter((incident) => {
    const { rule, lastFailureAt, recoveredAt } = incident;
    const quietMs = rule === "agent-failing" ? rules.agentWithinMs : rules.repeatedWithinMs;
    const isQuiet = recoveredAt !== undefined && now - recoveredAt >= quietMs;
    const isSilent = now - lastFailureAt >= rules.silentMs;
    if (isQuiet || isSilent) changes.push({ what: "resolved", incident, how: isQuiet ? "quiet" : "silent" });
    return !isQuiet && !isSilent;
  });
  return changes.length === 0 ? { state, changes } : { state: { ...state, incidents }, changes };
}

/** By hand: gone, and its failures do not count for the next one. */
export function withoutIncident(state: HealthState, key: string): HealthState {
  return {
    failures: state.failures.filter(({ causeKey, subjectKey }) => causeKey !== key && subjectKey !== key),
    incidents: state.incidents.filter((incident) => incident.key !== key),
  };
}
