/** What the daemon does by itself from time to time: ends what is stale, notices processes that are gone, removes what is old. */
import { goneAmong } from "../../adapters/processes/index.ts";
import { startSweeper, watchProcesses } from "../../coordination/sweeper/index.ts";
import { reporting } from "./health.ts";
import type { Parts, Terms } from "./parts.ts";
import { removeOld } from "./retention.ts";
import { sweepHome } from "../../platform/home/index.ts";
import { startRetention } from "../../platform/retention.ts";

export type Failing = (component: string, then: (error: unknown) => void) => (error: unknown) => void;

export function startUpkeep(
  parts: Parts,
  { settings, clock, log, paths }: Terms,
  { auditStarted, failing }: { readonly auditStarted: Promise<unknown>; readonly failing: Failing },
): { stop(): void } {
  const sweeper = startSweeper({
    ...parts,
    staleAfterMs: settings["agents.staleAfterMs"],
    answerWithinMs: settings["work.answerWithinMs"],
    maxClaimsPerAgent: settings["work.maxClaimsPerAgent"],
    onSwept: () => parts.health.report({ kind: "daemon", component: "sweeper", outcome: "ok" }),
    onFailed: failing("sweeper", (error) => log.warn("sweep.failed", { error })),
  });
  const processWatch = watchProcesses({
    ...parts,
    goneAmong,
    sweep: (gone) => sweeper.sweep(gone),
    onFailed: failing("process watch", (error) => log.warn("process-watch.failed", { error })),
  });
  const retention = startRetention({
    clock,
    remove: reporting(
      "retention",
      async () => {
        await auditStarted;
        await removeOld(parts, settings);
        sweepHome(paths, { now: clock.now(), maxLogBytes: settings["log.maxBytes"] });
      },
      parts,
    ),
    onFailed: (error) => log.warn("retention.failed", { error }),
  });
  return {
    stop() {
      processWatch.stop();
      sweeper.stop();
      retention.stop();
    },
  };
}
