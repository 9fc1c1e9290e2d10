import { expect, it } from "vitest";
import { operations, parseInput } from "../../contract/index.ts";
import { endAgent } from "../agent-end/index.ts";
import { registerAgent } from "../registry/index.ts";
import { acquireReservation, renewReservation } from "../reservations/index.ts";
import { minuteMs, repository, scratchPorts, settled, type AgentCall, type ScratchPorts } from "../testkit.ts";
import { claimWorkItem, createWorkItem } from "../work-items/index.ts";
import { startSweeper, type Sweeper } from "./sweeper.ts";

async function hold(call: AgentCall, ports: ScratchPorts, path: string, ttlMs = 5 * minuteMs) {
  const wanted = parseInput(operations["reservation.acquire"], { paths: [path], ttlMs });
  return (await acquireReservation(wanted, call, ports)).reservation;
}
async function claim(call: AgentCall, ports: ScratchPorts) {
  const wanted = parseInput(operations["work-item.create"], { title: "Rate-limit POST /orders" });
  const { workItem } = await createWorkItem(wanted, call, ports);
  await claimWorkItem(workItem.id, call, ports);
  return workItem.id;
}
function sweeping(ports: ScratchPorts): Sweeper & Disposable {
  const sweeper = startSweeper({ ...ports, onFailed: (error) => expect.fail(String(error)) });
  return { ...sweeper, [Symbol.dispose]: () => sweeper.stop() };
}
/** As time passes for a daemon: what comes due in between runs to its end. */
async function pass(ports: ScratchPorts, ms: number, stepMs = 1_000): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    ports.clock.advance(Math.min(stepMs, ms - passed));
    await settled();
  }
}
const count = async (ports: ScratchPorts, type: string) =>
  (await ports.eventTypes()).filter((other) => other === type).length;

it("frees what has run out as one transaction, with one event each [RSV-12]", async () => {
  using ports = scratchPorts({ staleAfterMs: 2_000, claimTtlMs: 2_000 });
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const reservations = [await hold(heron, ports, "a.ts", 1_000), await hold(heron, ports, "b.ts", 2_000)];
  const later = await hold(otter, ports, "c.ts");
  const item = await claim(heron, ports);
  ports.clock.advance(2_000);
  ports.hear(otter);
  const before = (await ports.events()).length;
  /** What others see at the moment of the first event. */
  const seen: Promise<number>[] = [];
  ports.bus.subscribe("event.**", () => void seen.push(ports.events().then((events) => events.length - before)));
  using sweeper = sweeping(ports);
  await settled();
  const swept = (await ports.events()).slice(before);
  expect(swept.map(({ type, subject }) => [type, subject])).toEqual([
    ["work-item.claim-expired", item],
    ...reservations.map(({ id }) => ["reservation.expired", id]),
    ["agent.offline", heron.caller.agent.id],
  ]);
  expect(await Promise.all(seen)).toEqual([4, 4, 4, 4]);
  expect(await ports.store.reader.workItems.find(item)).toMatchObject({ status: "open", claimTtlMs: undefined });
  expect((await ports.store.reader.reservations.live(undefined)).map(({ id }) => id)).toEqual([later.id]);
  const again = await sweeper.sweep();
  expect([again.offline, again.expired, again.unclaimed]).toEqual([[], [], []]);
  expect((await ports.events()).length).toBe(before + 4);
});

it("wakes for the end of a reservation that was granted while it slept for something later", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  using _sweeper = sweeping(ports);
  await settled();
  await hold(heron, ports, "a.ts", 3_000);
  await pass(ports, 4_000);
  expect(await count(ports, "reservation.expired")).toBe(1);
});

it("wakes for what was granted while it was looking", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  using sweeper = sweeping(ports);
  await settled();
  await pass(ports, 2_000);
  await Promise.all([sweeper.sweep(), hold(heron, ports, "a.ts", 3_000)]);
  await pass(ports, 4_000);
  expect(await count(ports, "reservation.expired")).toBe(1);
});

it("finds a renewed reservation alive, and frees it a second at most after its real end", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  using _sweeper = sweeping(ports);
  const { id } = await hold(heron, ports, "a.ts", 10_000);
  await pass(ports, 8_000);
  await renewReservation({ id, changed: true }, heron, ports);
  await pass(ports, 9_000);
  expect(await count(ports, "reservation.expired")).toBe(0);
  await pass(ports, 2_000);
  expect(await count(ports, "reservation.expired")).toBe(1);
});

it("marks an agent offline after five silent minutes, once, and not while it is heard of", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  using _sweeper = sweeping(ports);
  for (let minute = 0; minute < 7; minute++) {
    ports.hear(otter);
    await pass(ports, minuteMs, 10_000);
  }
  const offline = (await ports.events()).filter(({ type }) => type === "agent.offline");
  expect(offline).toMatchObject([{ subject: heron.caller.agent.id, data: { agent: { name: "heron" } } }]);
});

it("does not take an agent for silent that registers in the same turn as a look", async () => {
  using ports = scratchPorts();
  using sweeper = sweeping(ports);
  await settled();
  ports.clock.advance(60 * minuteMs);
  let look: Promise<unknown> | undefined;
  const thenLook: typeof ports.store.transact = (scope, work) => {
    const change = ports.store.transact(scope, work);
    look = sweeper.sweep();
    return change;
  };
  const project = { path: repository(ports.folder, "shop") };
  await registerAgent({ sessionKey: "heron", client: "other", project }, { transact: thenLook }, ports);
  await look;
  expect(await ports.eventTypes()).toEqual(["agent.registered"]);
});

it("returns a silent owner's claim to the queue when the owner goes offline, not before [CRSH-1, WRK-5]", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  using _sweeper = sweeping(ports);
  const id = await claim(heron, ports);
  await pass(ports, 4 * minuteMs, minuteMs);
  expect(await ports.store.reader.workItems.find(id)).toMatchObject({ status: "in_progress" });
  await pass(ports, 2 * minuteMs, minuteMs);
  expect(await ports.store.reader.workItems.find(id)).toMatchObject({ status: "open" });
  expect(await count(ports, "work-item.claim-expired")).toBe(1);
});

it("looks at most once per second, whatever happens [RSV-12]", async () => {
  using ports = scratchPorts({ maxPerAgent: 1_000 });
  const heron = await ports.caller("heron");
  let looks = 0;
  const { transact } = ports.store;
  const counting: typeof transact = (scope, work) => {
    if (scope === "sweep") looks++;
    return transact(scope, work);
  };
  using _sweeper = sweeping({ ...ports, store: { ...ports.store, transact: counting } });
  for (let tick = 0; tick < 100; tick++) {
    await hold(heron, ports, `file-${tick}`, 1_000);
    await pass(ports, 100, 100);
  }
  expect(looks).toBeGreaterThan(5);
  expect(looks).toBeLessThanOrEqual(11);
});

it("has no timer when nothing lives, and none after it was stopped", async () => {
  using ports = scratchPorts();
  using sweeper = sweeping(ports);
  await settled();
  expect(ports.clock.pendingTimers()).toBe(0);

  const heron = await ports.caller("heron");
  await hold(heron, ports, "a.ts");
  await ports.liveness.flush();
  expect(ports.clock.pendingTimers()).toBe(1);
  await endAgent(heron.caller.agent.id, heron, ports);
  await ports.liveness.flush();
  await pass(ports, 2_000);
  expect(ports.clock.pendingTimers()).toBe(0);

  await ports.caller("heron");
  await ports.liveness.flush();
  expect(ports.clock.pendingTimers()).toBe(1);
  sweeper.stop();
  expect([ports.clock.pendingTimers(), ports.bus.size]).toEqual([0, 0]);
});

it("reports a look that failed and tries again", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  await hold(heron, ports, "a.ts", 1_000);
  const planted = new Error("planted");
  const failures: unknown[] = [];
  let failing = true;
  const { transact } = ports.store;
  const store: typeof ports.store = {
    ...ports.store,
    transact: (scope, work) => (failing ? Promise.reject(planted) : transact(scope, work)),
  };
  const sweeper = startSweeper({ ...ports, store, onFailed: (error) => failures.push(error) });
  await settled();
  expect(failures).toEqual([planted]);
  await expect(sweeper.sweep()).rejects.toBe(planted);
  failing = false;
  await pass(ports, 6_000);
  expect(await count(ports, "reservation.expired")).toBe(1);
  sweeper.stop();
});

it("frees what ran out in an earlier life of the daemon only after a full time limit in this one", async () => {
  using ports = scratchPorts();
  await hold(await ports.caller("heron"), ports, "a.ts", 10_000);
  ports.clock.advance(20_000);
  using next = ports.restart({ downMs: 60 * minuteMs });
  using _sweeper = sweeping(next);
  await pass(next, 9_000);
  expect(await count(next, "reservation.expired")).toBe(0);
  await pass(next, 1_000);
  expect(await count(next, "reservation.expired")).toBe(1);
});
