/** How parts of the daemon report on themselves: each call, each hook, each round of background work. */
import { DomainError, type OperationName } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { CallDone } from "../../platform/operations/index.ts";
import type { Report } from "./report.ts";
import type { HealthTracker } from "./tracker.ts";

type Reporting = { readonly health: Pick<HealthTracker, "report">; readonly clock: Clock };

/** Operations that wait for others or for the outside world: their time says nothing about ours. */
const patient: ReadonlySet<OperationName> = new Set([
  "reservation.wait",
  "reservation.acquire",
  "provider.test",
  "store.backup",
  "store.export",
]);

/** A refusal is an answer; only a call that could not be answered is a failure. */
export function reportCalls(tracker: Pick<HealthTracker, "report">): (done: CallDone) => void {
  return ({ operation, kind, ms, error }) => {
    if (error?.code === "daemon.stopping") return;
    const failed = error !== undefined && (error.family === "unavailable" || error.family === "bug");
    tracker.report({
      kind: "daemon",
      component: kind === "read" ? "reads" : "changes",
      outcome: failed ? "failed" : "ok",
      ...(patient.has(operation) ? {} : { ms }),
      ...(failed ? { error: `${error.code}: ${error.message}` } : {}),
    });
  };
}

/** Work that reports each time it is done, or could not be done; a daemon that stops is not a failure. */
export function reporting<Args extends readonly unknown[], Result>(
  component: string,
  work: (...args: Args) => Promise<Result>,
  { health, clock }: Reporting,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    const startedAt = clock.monotonic();
    try {
      const result = await work(...args);
      health.report({ kind: "daemon", component, outcome: "ok", ms: clock.monotonic() - startedAt });
      return result;
    } catch (error) {
      if (!(error instanceof DomainError && error.code === "daemon.stopping"))
        health.report(failureOf(component, error));
      throw error;
    }
  };
}

export function failureOf(component: string, error: unknown): Omit<Report, "at"> {
  return { kind: "daemon", component, outcome: "failed", error: String(error) };
}

/** The outcome of a round that knows its own troubles; an empty list is a success. */
export function outcomeOf(component: string, troubles: readonly string[]): Omit<Report, "at"> {
  const error = troubles.join("; ");
  return { kind: "daemon", component, ...(error === "" ? { outcome: "ok" } : { outcome: "failed", error }) };
}

/** Times one hook, in memory: it never waits for the disk. */
export function measureHook({ health, clock }: Reporting): (outcome: Omit<Report, "at" | "kind" | "ms">) => void {
  const startedAt = clock.monotonic();
  return (outcome) => health.report({ kind: "hook", ms: clock.monotonic() - startedAt, ...outcome });
}
