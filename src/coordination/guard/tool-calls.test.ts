import { expect, it } from "vitest";
import type { AgentRef } from "../../contract/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { createToolCalls } from "./tool-calls.ts";

const heron = { id: "agt_heron", name: "heron", client: "codex" } as AgentRef;
const call = (path: string) => ({ agent: heron, tree: "/shop", paths: [path], patterns: [], unknown: false });

it("keeps the last calls, as long as they are young, and knows which of them are over", () => {
  const clock = manualClock();
  const calls = createToolCalls(clock);
  calls.began(call("old.ts"));
  clock.advance(10 * 60_000);
  for (let index = 0; index < 5_000; index++) calls.began(call(`${index}.ts`));
  calls.ended(heron.id, [], { tree: "/shop", paths: ["4999.ts"] });
  const kept = calls.inTree("/shop");
  expect([kept.length, kept[0]!.paths, kept.at(-1)!.paths]).toEqual([2_000, ["3000.ts"], ["4999.ts"]]);
  expect(kept.filter(({ endedAt }) => endedAt !== undefined).map(({ paths }) => paths)).toEqual([["4999.ts"]]);
  clock.advance(10 * 60_000);
  calls.began(call("new.ts"));
  expect(calls.inTree("/shop").map(({ paths }) => paths)).toEqual([["new.ts"]]);
});

const named = { agent: heron, tree: "/shop", paths: [], patterns: [], unknown: true };
const open = (calls: ReturnType<typeof createToolCalls>) =>
  calls
    .inTree("/shop")
    .filter(({ endedAt }) => endedAt === undefined)
    .map(({ command }) => command);

it("ends a call by its id, else by its command, and all of an agent at the end of its turn [GIT-10]", () => {
  const calls = createToolCalls(manualClock());
  calls.began({ ...named, id: "t1", command: "Bash: make" });
  calls.began({ ...named, id: "t2", command: "Bash: make" });
  calls.began({ ...named, command: "Bash: npm test" });
  calls.ended("agt_other" as typeof heron.id, [{ call: "t1" }]);
  calls.ended(heron.id, [{ call: "t2", command: "Bash: make" }]);
  expect(open(calls)).toEqual(["Bash: make", "Bash: npm test"]);
  calls.ended(heron.id, [{ command: "Bash: npm test" }]);
  expect(open(calls)).toEqual(["Bash: make"]);
  expect(calls.inTree("/shop").every(({ endsAreTold }) => endsAreTold)).toBe(true);
  calls.endedAll(heron.id);
  expect(open(calls)).toEqual([]);
});

it("keeps a call under way however old it is, and drops those that have ended for it [GIT-10]", () => {
  const clock = manualClock();
  const calls = createToolCalls(clock);
  calls.ended(heron.id, [{ call: "t0" }]);
  calls.began({ ...named, id: "build", command: "Bash: build" });
  for (let index = 0; index < 3_000; index++) {
    calls.began({ ...named, id: `t${index}`, command: "Bash: ls" });
    calls.ended(heron.id, [{ call: `t${index}` }]);
    clock.advance(1_000);
  }
  expect(open(calls)).toEqual(["Bash: build"]);
});

it("does not know of calls that began before it, until their agent is heard of [GIT-10]", () => {
  const clock = manualClock();
  const old = { id: heron.id, registeredAt: clock.now() - 1 };
  const calls = createToolCalls(clock);
  expect([calls.isUnheard(old), calls.isUnheard({ ...old, registeredAt: clock.now() })]).toEqual([true, false]);
  calls.endedAll(heron.id);
  expect(calls.isUnheard(old)).toBe(false);
  calls.endedAll(heron.id, true);
  expect(calls.isUnheard(old)).toBe(true);
  clock.advance(10 * 60_000);
  expect(calls.isUnheard(old)).toBe(false);
});
