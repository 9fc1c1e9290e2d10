/** A role as the daemon's counters see it: how often it was called, how long it took, whether it failed. */
import type { RoleName } from "../../contract/index.ts";
import type { RoleHandler } from "../../orchestration/guide/index.ts";
import type { Clock } from "../../platform/clock/index.ts";

type RoleReport = {
  readonly kind: "agent";
  readonly component: RoleName;
  readonly ms: number;
  readonly outcome: "ok" | "failed";
  readonly error?: string;
};
export type RoleReports = (report: RoleReport) => void;
type Ports = { readonly send: RoleReports; readonly clock: Clock };

/** Counts a role that answers "failed", or does not answer, as failed, under the name of its agent. */
export function reportedRole(role: RoleName, handle: RoleHandler, { send, clock }: Ports): RoleHandler {
  return async (request, signal) => {
    const startedAt = clock.monotonic();
    const outcome = (changes: Pick<RoleReport, "outcome" | "error">): void =>
      send({ kind: "agent", component: role, ms: clock.monotonic() - startedAt, ...changes });
    try {
      const answer = await handle(request, signal);
      outcome(
        answer.type === "TASK_FAILED"
          ? { outcome: "failed", error: answer.payload.reason.slice(0, 2_000) }
          : { outcome: "ok" },
      );
      return answer;
    } catch (error) {
      if (!signal.aborted) outcome({ outcome: "failed", error: String(error).slice(0, 2_000) });
      throw error;
    }
  };
}
