/** The counters of one component. Counters of two lives of a daemon, or of a file and a daemon, add up. */
import type { Component, ComponentKind, ProjectId } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import { added, type Latency, measured, noLatency, p95 } from "./latency.ts";
import { isFailing, type Report, type ReportedAgent } from "./report.ts";

export type Counters = {
  readonly kind: ComponentKind;
  readonly component: string;
  readonly agent: ReportedAgent | undefined;
  readonly project: ProjectId | undefined;
  readonly calls: number;
  readonly failures: number;
  readonly timeouts: number;
  readonly degraded: number;
  readonly editsWithoutRead: number;
  readonly unguarded: number;
  readonly latency: Latency;
  readonly lastError: string | undefined;
  readonly lastFailureAt: number | undefined;
  readonly lastReportAt: number;
};

export function noCounters({ kind, component, agent, project, at }: Report): Counters {
  return {
    kind,
    component,
    agent,
    project,
    calls: 0,
    failures: 0,
    timeouts: 0,
    degraded: 0,
    editsWithoutRead: 0,
    unguarded: 0,
    latency: noLatency,
    lastError: undefined,
    lastFailureAt: undefined,
    lastReportAt: at,
  };
}

/** Once for every call: a sum of two counters would make all of them anew. */
export function counted(counters: Counters, report: Report): Counters {
  const { at, ms, error } = report;
  const more = (count: number, outcome: Report["outcome"]): number => count + (report.outcome === outcome ? 1 : 0);
  const isLaterFailure = isFailing(report) && at >= (counters.lastFailureAt ?? -1);
  return {
    ...counters,
    calls: counters.calls + 1,
    failures: more(counters.failures, "failed"),
    timeouts: more(counters.timeouts, "timed-out"),
    degraded: more(counters.degraded, "degraded"),
    editsWithoutRead: more(counters.editsWithoutRead, "edit-without-read"),
    unguarded: more(counters.unguarded, "unguarded"),
    latency: ms === undefined ? counters.latency : measured(counters.latency, ms),
    lastError: isLaterFailure ? (error ?? counters.lastError) : counters.lastError,
    lastFailureAt: isLaterFailure ? at : counters.lastFailureAt,
    lastReportAt: Math.max(counters.lastReportAt, at),
  };
}

export function addedUp(one: Counters, other: Counters): Counters {
  const later = (one.lastFailureAt ?? -1) > (other.lastFailureAt ?? -1) ? one : other;
  return {
    ...one,
    calls: one.calls + other.calls,
    failures: one.failures + other.failures,
    timeouts: one.timeouts + other.timeouts,
    degraded: one.degraded + other.degraded,
    editsWithoutRead: one.editsWithoutRead + other.editsWithoutRead,
    unguarded: one.unguarded + other.unguarded,
    latency: added(one.latency, other.latency),
    lastError: later.lastError ?? one.lastError ?? other.lastError,
    lastFailureAt: later.lastFailureAt,
    lastReportAt: Math.max(one.lastReportAt, other.lastReportAt),
  };
}

export function viewOf({ component, agent, project: _project, latency, ...counters }: Counters): Component {
  const { lastError, lastFailureAt, ...rest } = counters;
  const { count, sumMs, maxMs } = latency;
  return {
    ...rest,
    name: component,
    ...defined({ agent: agent?.name }),
    ...(count === 0 ? {} : { latency: { count, meanMs: Math.round(sumMs / count), p95Ms: p95(latency), maxMs } }),
    ...defined({ lastError, lastFailureAt }),
  };
}
