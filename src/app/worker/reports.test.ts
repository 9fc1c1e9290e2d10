import { expect, it } from "vitest";
import * as z from "zod";
import { ModelFailure } from "../../orchestration/models/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { createReporter, reportedConversation } from "./reports.ts";

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

it("carries the label of the model with what failed under it, a tool's failure too", async () => {
  const arrived: unknown[] = [];
  const clock = manualClock();
  const reporter = createReporter(async (reports) => void arrived.push(...reports), clock);
  const failing = async () => {
    throw new ModelFailure("transient", "overloaded");
  };
  const tool = { name: "search", description: "", input: z.object({}), run: failing };
  const converse = reportedConversation(
    async (_role, _node, { tools }) => {
      await tools[0]!.run({}, {} as never);
      throw new Error("not reached");
    },
    reporter,
    { model: async () => ({ provider: "main", label: "staging" }), clock },
  );
  await expect(converse("engineer", undefined as never, { tools: [tool] } as never)).rejects.toThrow("overloaded");
  await reporter.settled();
  const failed = { outcome: "failed", label: "staging" };
  expect(arrived).toMatchObject([
    { kind: "tool", component: "search", ...failed },
    { kind: "provider", component: "main", ...failed },
  ]);
});
