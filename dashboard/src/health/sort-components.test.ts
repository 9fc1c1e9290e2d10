import { expect, it } from "vitest";
import { latencyText, silentAgents, sortComponents } from "./sort-components.ts";

const component = (name: string, failures = 0) =>
  ({
    kind: "hook",
    name,
    calls: 9,
    failures,
    timeouts: 0,
    degraded: 0,
    editsWithoutRead: 0,
    unguarded: 0,
    lastReportAt: 0,
  }) as const;

it("puts the component with the most failures first, then goes by name [DASH-10]", () => {
  const sorted = sortComponents([component("b"), component("a"), component("c", 3)]);
  expect(sorted.map(({ name }) => name)).toEqual(["c", "a", "b"]);
});

it("never makes zero out of a latency that was not measured [DASH-10]", () => {
  expect([undefined, 0, 0.44, 12.4, 1_234.5].map(latencyText)).toEqual([
    undefined,
    "0 ms",
    "0.4 ms",
    "12 ms",
    "1,235 ms",
  ]);
});

it("names reporters that fell silent before those that never reported [DASH-10]", () => {
  const agent = (name: string, measurement: "measured" | "stopped" | "never") =>
    ({ agent: { name }, measurement }) as never;
  const silent = silentAgents([agent("never", "never"), agent("fine", "measured"), agent("stopped", "stopped")]);
  expect(silent.map((one) => one.agent.name)).toEqual(["stopped", "never"]);
});
