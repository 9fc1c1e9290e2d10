/** Keeps a reservation alive for the time of one attempt: renews it, and signals when it is lost. */
import { type AgentId, DomainError } from "../../contract/index.ts";
import type { Clock, Timer } from "../../platform/clock/index.ts";
import type { Grant, PathHolder } from "./path-reservations.ts";

export type Hold = {
  /** The node's own agent, which holds the paths. */
  readonly agent: AgentId;
  /** Variables for the command: it acts as this agent and can prove its reservation. */
  readonly env: Readonly<Record<string, string>>;
  /** Aborts with the error when the reservation is lost. The attempt must then stop. */
  readonly lost: AbortSignal;
  end(): Promise<void>;
};

type Ports = { readonly clock: Clock; readonly end: () => Promise<void> };

export function keepHold(holder: PathHolder, grant: Grant, { clock, end }: Ports): Hold {
  const lost = new AbortController();
  let timer: Timer | undefined;
  const schedule = (): void => void (timer = clock.after(grant.renewEveryMs, () => void renew()));
  async function renew(): Promise<void> {
    try {
      await holder.renew(grant);
    } catch (error) {
      // The store may be unavailable for a moment. The time limit leaves room for another try.
      if (error instanceof DomainError && error.family === "lost") return lost.abort(error);
    }
    if (timer !== undefined) schedule();
  }
  schedule();
  return {
    agent: holder.agent.id,
    env: { SYLK_AGENT: holder.agent.id, SYLK_FENCING_TOKEN: String(grant.fencingToken) },
    lost: lost.signal,
    end() {
      timer?.cancel();
      timer = undefined;
      return end();
    },
  };
}
