/** The background jobs: the sweeper, the process watch, retention. */
import { changedSince, goneAmong, processesLeftBy, signalProcesses } from "../../adapters/processes/index.ts";
import { waitOutProcesses } from "../../coordination/left-processes/index.ts";
import { startSweeper, watchProcesses } from "../../coordination/sweeper/index.ts";
import { reporting } from "../../oversight/health/index.ts";
import type { DaemonParts, DaemonTerms } from "./parts.ts";
import { removeOldRecords } from "../../data/index.ts";
import { sweepHome } from "../../platform/home/index.ts";
import { startRetention } from "../../platform/retention.ts";

/** Reports a failed part and logs it under this event. */
type Failed = (component: string, event: string) => (error: unknown) => void;

export function startUpkeep(
  parts: DaemonParts,
  { settings, clock, log, paths }: DaemonTerms,
  {
    auditStarted,
    failed,
    sweepContents,
  }: { readonly auditStarted: Promise<unknown>; readonly failed: Failed; readonly sweepContents: () => Promise<void> },
): { stop(): void } {
  const sweeper = startSweeper({
    ...parts,
    staleAfterMs: settings["agents.staleAfterMs"],
    answerWithinMs: settings["work.answerWithinMs"],
    maxClaimsPerAgent: settings["work.maxClaimsPerAgent"],
    onSwept: () => parts.health.report({ kind: "daemon", component: "sweeper", outcome: "ok" }),
    onFailed: failed("sweeper", "sweep.failed"),
  });
  const leftBy = async (sessions: Parameters<typeof processesLeftBy>[0]) =>
    processesLeftBy(sessions, await parts.store.reader.agents.watchedProcesses());
  const leftWait = waitOutProcesses({
    ...parts,
    mode: settings["agents.leftProcesses"],
    leftBy,
    goneAmong,
    signal: signalProcesses,
    changedSince,
    onFailed: failed("left processes", "left-processes.failed"),
  });
  const processWatch = watchProcesses({
    ...parts,
    goneAmong,
    leftBy: async (gone) =>
      (await leftBy(gone)).map((processes) => (processes.length === 0 ? undefined : { processes })),
    sweep: (gone) => sweeper.sweep(gone),
    onFailed: failed("process watch", "process-watch.failed"),
  });
  const retention = startRetention({
    clock,
    remove: reporting(
      "retention",
      async () => {
        await auditStarted;
        await removeOldRecords(parts, settings);
        await sweepContents();
        sweepHome(paths, { now: clock.now(), maxLogBytes: settings["log.maxBytes"] });
      },
      parts,
    ),
    onFailed: (error) => log.warn("retention.failed", { error }),
  });
  return {
    stop() {
      processWatch.stop();
      leftWait.stop();
      sweeper.stop();
      retention.stop();
    },
  };
}
