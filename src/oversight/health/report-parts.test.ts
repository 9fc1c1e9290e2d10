import { expect, it } from "vitest";
import { DomainError, type ErrorCode } from "../../contract/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import type { Report } from "./report.ts";
import { measureHook, outcomeOf, reportCalls, reporting } from "./report-parts.ts";

function scratch() {
  const reports: Omit<Report, "at">[] = [];
  const health = { report: (...given: readonly Omit<Report, "at">[]) => void reports.push(...given) };
  return { reports, health, clock: manualClock() };
}
const call = { operation: "work-item.claim", kind: "change", ms: 4 } as const;
const failedBy = (code: ErrorCode) => ({ ...call, error: new DomainError(code, "no") });

it("counts a refusal as an answer, and only what could not be answered as a failure", () => {
  const { reports, health } = scratch();
  const report = reportCalls(health);
  report(call);
  report(failedBy("reservation.conflict"));
  report(failedBy("store.unavailable"));
  report(failedBy("internal"));
  report(failedBy("daemon.stopping"));
  expect(reports.map(({ outcome }) => outcome)).toEqual(["ok", "ok", "failed", "failed"]);
  expect(reports[2]).toMatchObject({ component: "changes", error: "store.unavailable: no" });
});

it("does not measure the time of calls that wait for others", () => {
  const { reports, health } = scratch();
  const report = reportCalls(health);
  report({ ...call, operation: "reservation.wait" });
  report(call);
  expect(reports.map(({ ms }) => ms)).toEqual([undefined, 4]);
});

it("reports each round of background work with its time, a failed one with its error, a stopping daemon not at all", async () => {
  const { reports, health, clock } = scratch();
  let fails: Error | undefined;
  const work = reporting(
    "retention",
    async () => {
      clock.advance(7);
      if (fails !== undefined) throw fails;
      return "done";
    },
    { health, clock },
  );
  expect(await work()).toBe("done");
  fails = new Error("disk");
  await expect(work()).rejects.toBe(fails);
  fails = new DomainError("daemon.stopping", "stopping");
  await expect(work()).rejects.toBe(fails);
  expect(reports).toEqual([
    { kind: "daemon", component: "retention", outcome: "ok", ms: 7 },
    { kind: "daemon", component: "retention", outcome: "failed", error: "Error: disk" },
  ]);
});

it("times a hook from its begin to its outcome", () => {
  const { reports, health, clock } = scratch();
  const done = measureHook({ health, clock });
  clock.advance(3);
  done({ component: "claude-code/PreToolUse", agent: undefined, outcome: "ok" });
  expect(reports).toMatchObject([{ kind: "hook", component: "claude-code/PreToolUse", ms: 3, outcome: "ok" }]);
});

it("takes a round without troubles for a success", () => {
  expect(outcomeOf("tree watch", [])).toEqual({ kind: "daemon", component: "tree watch", outcome: "ok" });
  expect(outcomeOf("tree watch", ["no inotify", "no git"])).toMatchObject({
    outcome: "failed",
    error: "no inotify; no git",
  });
});
