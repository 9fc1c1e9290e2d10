import { expect, it } from "vitest";
import type { AgentRef, Caller } from "../../contract/index.ts";
import { showHealth } from "./show-health.ts";
import { scratchHealth, shop, type ScratchHealth } from "./testkit.ts";

const heron = { id: "agt_01jd8q3m7k4x9t2v5b8n1c", name: "heron", client: "claude-code" } as AgentRef;
const user: Caller = { kind: "user", project: undefined };
const ofAnother: Caller = {
  kind: "agent",
  agent: heron,
  project: { id: "prj_11jd8q3m7k4x9t2v5b8n1c", name: "nest", path: "/nest" } as never,
  tree: "/nest",
};
const minuteMs = 60_000;

function show(world: ScratchHealth, lastSeenAt: number, caller = user) {
  return showHealth({}, caller, {
    tracker: world.tracker,
    agentsNow: async () => [{ agent: heron, lastSeenAt }],
    whyNotEnforced: async () => undefined,
    guards: { edit: "fail-open", commit: "fail-closed" },
  });
}

it("says that measurement has stopped when an agent works on and nothing is reported for it [HLTH-8]", async () => {
  using world = scratchHealth();
  const { clock } = world;
  const measurement = async (lastSeenAt: number) => (await show(world, lastSeenAt)).agents[0]!.measurement;
  expect(await measurement(clock.now())).toBe("never");
  world.tracker.report({ kind: "hook", component: "pre-edit", agent: heron, outcome: "ok" });
  const reportedAt = clock.now();
  expect(await measurement(reportedAt + 10 * minuteMs - 1)).toBe("measured");
  expect(await measurement(reportedAt + 10 * minuteMs)).toBe("stopped");
  clock.advance(60 * minuteMs);
  expect(await measurement(reportedAt), "an idle agent is not unmeasured").toBe("measured");
  world.tracker.report({ kind: "tool", component: "Edit", agent: heron, outcome: "failed" });
  expect(await measurement(clock.now() + minuteMs)).toBe("measured");
});

it("shows an agent nothing of other projects [HLTH-1]", async () => {
  using world = scratchHealth();
  const failing = { kind: "tool", component: "Edit", outcome: "failed", error: "oops", project: shop } as const;
  world.tracker.report(failing, failing, failing, failing);
  expect(await show(world, 0)).toMatchObject({ components: [{ name: "Edit" }], incidents: [{ failures: 4 }] });
  expect(await show(world, 0, ofAnother)).toMatchObject({ components: [], incidents: [] });
});
