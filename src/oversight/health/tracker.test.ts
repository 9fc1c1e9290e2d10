import { expect, it } from "vitest";
import { settled } from "../../coordination/testkit.ts";
import { scratchHealth, shop } from "./testkit.ts";

const oops = { kind: "hook", component: "pre-edit", outcome: "failed", error: "oops hunter2" } as const;
const fine = { kind: "hook", component: "pre-edit", outcome: "ok", ms: 4 } as const;

it("keeps counters, last error and latency across a kill, written every few seconds and without secrets [HLTH-1]", async () => {
  using world = scratchHealth();
  world.tracker.report(fine, fine, oops);
  await settled();
  expect(await world.store.reader.health.components()).toEqual([]);
  world.clock.advance(5_000);
  await settled();
  using next = world.killed();
  next.tracker.report(fine);
  expect(await next.tracker.components()).toMatchObject([
    { component: "pre-edit", calls: 4, failures: 1, lastError: "oops [redacted]", latency: { count: 3, maxMs: 4 } },
  ]);
});

it("tells of an incident at once, by an event in its project, and of its end [HLTH-3, HLTH-4]", async () => {
  using world = scratchHealth();
  world.tracker.report(...[1, 2, 3, 4].map(() => ({ ...oops, project: shop })));
  await settled();
  world.clock.advance(0);
  await settled();
  expect((await world.events()).map(({ type, project }) => [type, project])).toEqual([
    ["health.incident-opened", shop],
  ]);
  world.clock.advance(1_000);
  world.tracker.report(fine);
  await settled();
  for (let seconds = 0; seconds < 400; seconds += 30) world.clock.advance(30_000);
  await settled();
  world.clock.advance(0);
  await settled();
  expect((await world.events()).map(({ type }) => type)).toEqual([
    "health.incident-opened",
    "health.incident-resolved",
  ]);
  expect(world.tracker.incidents()).toEqual([]);
});

it("recognises across a restart what began before it, and continues with the same incident [HLTH-4]", async () => {
  using world = scratchHealth();
  world.tracker.report(oops, oops, oops);
  await world.tracker.flush();
  expect(world.tracker.incidents()).toEqual([]);
  using next = world.killed();
  next.tracker.report(oops);
  await next.tracker.flush();
  const [opened] = next.tracker.incidents();
  expect(opened).toMatchObject({ rule: "repeated", failures: 4 });
  using last = next.killed();
  last.tracker.report(oops);
  await last.tracker.flush();
  expect(last.tracker.incidents()).toMatchObject([{ id: opened!.id, failures: 5 }]);
});

it("never fails its reporter: what the store refuses is written when it takes changes again [HLTH-1, HLTH-7]", async () => {
  using world = scratchHealth();
  await world.tracker.flush();
  const refuse = new Error("SQLITE_FULL: database or disk is full");
  const { transact } = world.store;
  Object.assign(world.store, { transact: async () => Promise.reject(refuse) });
  world.tracker.report(oops, oops, oops, oops);
  await settled();
  world.clock.advance(5_000);
  await settled();
  expect(world.failed.length).toBeGreaterThan(0);
  expect(world.tracker.incidents()).toHaveLength(1);
  Object.assign(world.store, { transact });
  world.clock.advance(5_000);
  await settled();
  expect(await world.store.reader.health.components()).toMatchObject([{ calls: 4, failures: 4 }]);
  expect((await world.events()).map(({ type }) => type)).toEqual(["health.incident-opened"]);
});

it("is not filled by a reporter that makes up names [HLTH-1]", async () => {
  using world = scratchHealth();
  for (let index = 0; index < 3_000; index++) world.tracker.report({ ...fine, component: `made-up-${index}` });
  const components = await world.tracker.components();
  expect(components).toHaveLength(2_001);
  expect(components.at(-1)).toMatchObject({ calls: 1_000 });
});

it("forgets what was not reported for a month, and a project that is forgotten [HLTH-1]", async () => {
  using world = scratchHealth();
  world.tracker.report(fine, { ...oops, component: "other", project: shop });
  await world.tracker.flush();
  world.tracker.forget(shop);
  expect(await world.tracker.components()).toHaveLength(1);
  await world.tracker.removeOld(world.clock.now() + 1);
  expect(await world.tracker.components()).toEqual([]);
  expect(await world.store.reader.health.components()).toEqual([]);
});
