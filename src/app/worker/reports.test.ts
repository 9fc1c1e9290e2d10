import { expect, it } from "vitest";
import { manualClock } from "../../platform/clock/index.ts";
import { createReporter } from "./reports.ts";

const report = { kind: "tool", component: "search", outcome: "ok" } as const;

it("says with the next report that arrives how many were lost", async () => {
  const arrived: unknown[] = [];
  let isShut = true;
  const reporter = createReporter(async (reports) => {
    if (isShut) throw new Error("the daemon is gone");
    arrived.push(...reports);
  }, manualClock());
  reporter.send(report);
  reporter.send(report);
  await reporter.settled();
  for (let sent = 0; sent < 101; sent++) reporter.send(report);
  isShut = false;
  await reporter.settled();
  expect(arrived).toHaveLength(101);
  expect(arrived[0]).toMatchObject({ outcome: "failed", error: "3 reports of a run's worker did not arrive" });
});
