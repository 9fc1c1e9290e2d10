/** A hold that lasts as long as the work it is for: renewed in time, and told when somebody else has it all the same. */
import { DomainError } from "../../contract/index.ts";
import type { Clock, Timer } from "../../platform/clock/index.ts";
import type { Grant, PathHolder } from "./path-reservations.ts";

export type Hold = {
  /** For the command: it acts as this agent, and can prove its hold. */
  readonly env: Readonly<Record<string, string>>;
  /** Aborted, with the error, when the hold has ended: whatever runs under it must stop. */
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
      // A store that cannot answer now may answer the next time: the time limit leaves room for that.
      if (error instanceof DomainError && error.family === "lost") return lost.abort(error);
    }
    if (timer !== undefined) schedule();
  }
  schedule();
  return {
    env: { SYLK_AGENT: holder.agent.id, SYLK_FENCING_TOKEN: String(grant.fencingToken) },
    lost: lost.signal,
    end() {
      timer?.cancel();
      timer = undefined;
      return end();
    },
  };
}
