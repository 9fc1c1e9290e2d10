/** A pool for those who are bounded already: where there is no room to wait, they come again until there is. */
import { DomainError } from "../../contract/index.ts";
import type { Clock } from "../clock/index.ts";
import type { Pool, Work } from "./pool.ts";

const comeAgainMs = 250;

export function patientPool(pool: Pick<Pool, "submit">, clock: Clock): Pick<Pool, "submit"> {
  return {
    async submit<Result>(work: Work<Result>): Promise<Result> {
      for (;;) {
        try {
          return await pool.submit(work);
        } catch (error) {
          if (!(error instanceof DomainError) || error.code !== "pool.full") throw error;
          await pause(error.retryAfterMs ?? comeAgainMs, work.signal, clock);
        }
      }
    },
  };
}

function pause(ms: number, signal: AbortSignal | undefined, clock: Clock): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      timer.cancel();
      reject(signal?.reason as Error);
    };
    const timer = clock.after(ms, () => {
      signal?.removeEventListener("abort", stop);
      resolve();
    });
    signal?.addEventListener("abort", stop, { once: true });
  });
}
