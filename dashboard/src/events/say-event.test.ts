import { expect, it } from "vitest";
import { linksOf } from "./link-event.ts";
import { sayEvent } from "./say-event.ts";
import { logEvent } from "./testkit.ts";

const said = (type: string, data: object) => sayEvent(logEvent(1, { type, data }));

it("says an event in words, with who and what [DASH-11]", () => {
  expect(
    said("reservation.acquired", { reservation: { holder: { name: "heron" }, paths: ["a.ts"], patterns: [] } }),
  ).toBe("Reservation acquired: a.ts (heron)");
  expect(said("work-item.claimed", { workItem: { title: "Limits", owner: { name: "otter" } } })).toBe(
    "Work item claimed: Limits (otter)",
  );
  expect(said("run.node-changed", { title: "Tests", from: "running", to: "failed", error: "exit 1" })).toBe(
    "“Tests” is failed, was running: exit 1",
  );
  expect(
    said("run.spent", { role: "engineer", model: "m", cost: { inputTokens: 0, outputTokens: 0, unknownCalls: 1 } }),
  ).toBe("Engineer used an unknown number of tokens of m");
  expect(said("dag.changed", { transitions: [{ node: "lint", to: "running" }], status: "running" })).toBe(
    "Lint is running, the graph is running",
  );
  expect(said("future.thing-done", {})).toBe("Future thing done");
  expect(said("agent.registered", { agent: { name: "heron", branch: "main" } })).toBe("Agent registered: heron");
});

it("links an event to its subject, to the things it names and to files, each once [DASH-11, DASH-14]", () => {
  const id = (prefix: string) => `${prefix}_${"0".repeat(22)}`;
  const data = {
    run: id("run"),
    reservation: { holder: { id: id("agt") }, paths: ["src/a.ts"] },
    note: `see ${id("wrk")}`,
  };
  expect(linksOf(logEvent(1, { subject: id("run"), data })).map(({ page, id: name }) => [page, name])).toEqual([
    ["runs", id("run")],
    ["agents", id("agt")],
    ["files", "src/a.ts"],
  ]);
});
