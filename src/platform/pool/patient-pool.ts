/** A pool for callers that are bounded already: where there is no room to wait, they try again until there is. */
import { DomainError } from "../../contract/index.ts";
import { type Clock, pause } from "../clock/index.ts";
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
          await pause(error.retryAfterMs ?? comeAgainMs, clock, work.signal);
        }
      }
    },
  };
}
