/** Defaults that time must pass to show, in a whole daemon without a setting of its own, on a clock moved by hand. */
import { expect, it } from "vitest";
import { openWorld } from "./simulate.ts";

type World = Awaited<ReturnType<typeof openWorld>>;
const [minuteMs, dayMs] = [60_000, 86_400_000];

async function opened(changed: Parameters<typeof openWorld>[0]["changed"] = {}): Promise<World & AsyncDisposable> {
  const world = await openWorld({ off: [], changed });
  return { ...world, [Symbol.asyncDispose]: world.close };
}

async function pass({ clock, settled }: World, ms: number): Promise<void> {
  const end = clock.monotonic() + ms;
  await settled();
  while (clock.monotonic() < end) {
    clock.advance(Math.min(clock.nextTimerInMs() ?? Infinity, end - clock.monotonic()));
    await settled();
  }
}

it("lists a silent agent as online for five minutes and nowhere afterwards, and an event says so [IDN-5]", async () => {
  await using world = await opened();
  const [silent, watcher] = [await world.join("silent"), await world.join("watcher")];
  const online = async () => (await watcher.call("agent.list", {})).items.map(({ name }) => name).toSorted();
  const told = async () => (await watcher.call("event.list", { type: "agent.offline" })).items;
  for (let minute = 0; minute < 4; minute++) {
    await pass(world, minuteMs);
    await watcher.call("agent.heartbeat", { id: watcher.id });
  }
  await pass(world, minuteMs - 1_000);
  expect([await online(), await told()]).toEqual([["silent", "watcher"], []]);
  await watcher.call("agent.heartbeat", { id: watcher.id });
  await pass(world, 2_000);
  expect(await online()).toEqual(["watcher"]);
  expect(await told()).toMatchObject([{ subject: silent.id, data: { reason: "silent", agent: { name: "silent" } } }]);
  const { agent } = await watcher.call("agent.get", { id: silent.id });
  expect(agent.status).toBe("offline");
  expect((await watcher.call("health.greeting", {})).others).toEqual([]);
});

it("finds the words of a message for 30 days, of an important unread one for 90, or as long as the settings say [MAIL-4]", async () => {
  await using world = await opened();
  await expectKept(world, { plain: 30, urgent: 90 });
  await using other = await opened({ "mail.retentionDays": 3, "mail.importantRetentionDays": 5 });
  await expectKept(other, { plain: 3, urgent: 5 });
});

/** Looks the day before each limit and the day after it. */
async function expectKept(world: World, days: { readonly plain: number; readonly urgent: number }): Promise<void> {
  const heron = await world.join("heron");
  await world.join("otter");
  await heron.call("mail.send", { to: ["otter"], subject: "plain", body: "a green heron" });
  await heron.call("mail.send", { to: ["otter"], subject: "urgent", body: "a green otter", importance: "urgent" });
  let today = 0;
  for (const day of [days.plain - 1, days.plain + 1, days.urgent - 1, days.urgent + 1]) {
    await passDays(world, day - today);
    today = day;
    const { items } = await (await world.join("heron")).call("mail.search", { query: "green" });
    const kept = [...(day < days.plain ? ["plain"] : []), ...(day < days.urgent ? ["urgent"] : [])];
    expect(items.map(({ subject }) => subject).toSorted(), `after ${day} days`).toEqual(kept);
  }
}

/** A quarter of a day at a time, as often as old records are removed; each removal has ended before time moves on. */
async function passDays(world: World, days: number): Promise<void> {
  const clerk = await world.join("clerk");
  const removals = async () => {
    const { components } = await clerk.call("health.show", { kind: "daemon" });
    return components.find(({ name }) => name === "retention")?.calls ?? 0;
  };
  for (let quarter = 0; quarter < 4 * days; quarter++) {
    const before = await removals();
    await pass(world, dayMs / 4);
    for (let turn = 0; turn < 10_000 && (await removals()) === before; turn++) await world.settled();
  }
}
