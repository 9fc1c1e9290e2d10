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
  calls.wrote(heron.id, "/shop", ["4999.ts"]);
  const kept = calls.inTree("/shop");
  expect([kept.length, kept[0]!.paths, kept.at(-1)!.paths]).toEqual([2_000, ["3000.ts"], ["4999.ts"]]);
  expect(kept.filter(({ endedAt }) => endedAt !== undefined).map(({ paths }) => paths)).toEqual([["4999.ts"]]);
  clock.advance(10 * 60_000);
  calls.began(call("new.ts"));
  expect(calls.inTree("/shop").map(({ paths }) => paths)).toEqual([["new.ts"]]);
});
