import { afterEach, beforeEach, expect, it } from "vitest";
import type { LogEvent } from "../../contract/index.ts";
import { createBus } from "../../platform/bus/index.ts";
import { followWeights } from "./follow-weights.ts";
import { playedWork, scratchSessions } from "./testkit.ts";

let at: Awaited<ReturnType<typeof scratchSessions>>;
let weights: Map<string, number>;
const work = playedWork([]);
beforeEach(async () => {
  at = await scratchSessions({ work: [work] });
  weights = new Map();
});
afterEach(() => at[Symbol.dispose]());

function following() {
  const bus = createBus<LogEvent>({ onSubscriberError: ({ error }) => expect.unreachable(String(error)) });
  const pool = { setWeight: (group: string, weight: number) => void weights.set(group, weight) };
  const followed = followWeights({ bus, reader: at.store.reader, sessions: at.sessions, pool });
  /** What the log says since the last time, in order. */
  let told = 0;
  async function tell(): Promise<void> {
    const events = await at.events();
    for (const event of events.slice(told)) bus.publish(`event.${event.type}`, event);
    told = events.length;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { ...followed, tell, bus };
}

it("gives the pool the weight that a session prefers, 1 without one, and nothing of a session that ended", async () => {
  const { tell, stop, bus } = following();
  const [one, other] = [await at.active("one"), await at.active("other")];
  await at.sessions.set(one, { preferences: { weight: "3" } });
  await tell();
  expect([weights.get(one), weights.get(other)]).toEqual([3, 1]);
  await at.sessions.set(one, { preferences: { weight: undefined } });
  await tell();
  expect(weights.get(one)).toBe(1);
  weights.clear();
  await at.sessions.close(one);
  await tell();
  expect(weights.has(one)).toBe(false);
  stop();
  expect(bus.size).toBe(0);
});

it("follows a weight that is promoted to the whole project, and one that is withdrawn", async () => {
  const { tell } = following();
  const [one, other] = [await at.active("one"), await at.active("other")];
  await at.sessions.set(one, { preferences: { weight: "5" } });
  await at.sessions.promote(one, "weight");
  await tell();
  expect([weights.get(one), weights.get(other)]).toEqual([5, 5]);
  await at.sessions.withdraw(one, "weight");
  await tell();
  expect([weights.get(one), weights.get(other)]).toEqual([5, 1]);
});

it("applies the weights of open and of busy sessions after a start", async () => {
  const [open, suspended] = [await at.active("open"), await at.active("suspended")];
  for (const id of [open, suspended]) await at.sessions.set(id, { preferences: { weight: "2" } });
  await at.sessions.suspend(suspended);
  await following().start();
  expect([...weights]).toEqual([[open, 2]]);
  work.start(suspended, "graph");
  await following().start();
  expect(weights.get(suspended)).toBe(2);
  work.finish("graph");
});
