import { afterEach, beforeEach, expect, it } from "vitest";
import { type Caller, DomainError, type LogEvent, type PoolFigures, type ProjectId } from "../../contract/index.ts";
import { createBus } from "../../platform/bus/index.ts";
import { sessionHandlers } from "./handlers.ts";
import { keepEndedSession } from "./keep-ended-session.ts";
import { loadOpenSessions } from "./load-open-sessions.ts";
import { scratchSessions } from "./testkit.ts";
import { watchEndedWork } from "./watch-ended-work.ts";

let at: Awaited<ReturnType<typeof scratchSessions>>;
beforeEach(async () => {
  at = await scratchSessions({ archive: keepEndedSession });
});
afterEach(() => at[Symbol.dispose]());

const pool = { limit: 7 } as PoolFigures;

function handlers() {
  const checkProvider = async (provider: string) => {
    if (provider !== "acme") throw new DomainError("provider.not-found", `There is no provider "${provider}"`);
  };
  return sessionHandlers({
    sessions: at.sessions,
    reader: at.store.reader,
    checkProvider,
    poolFigures: () => pool,
    messages: async () => expect.unreachable("not asked"),
  });
}

function callOf(project: ProjectId = at.project) {
  const caller: Caller = { kind: "user", project: { id: project, name: "shop", path: "/srv/shop" } };
  return { caller, transact: at.store.transact };
}

it("refuses a preference for a provider that is not configured, and changes nothing", async () => {
  const { id } = await at.create();
  const set = handlers()["session.set"];
  await expect(set({ id, name: "provider", value: "gone" }, callOf())).rejects.toThrow("There is no provider");
  expect(await at.sessions.preferences(id)).toEqual({});
  await set({ id, name: "provider", value: "acme" }, callOf());
  expect(await at.sessions.preferences(id)).toEqual({ provider: "acme" });
});

it("counts the sessions of the caller's project beside the figures of the pool", async () => {
  await at.create();
  const stats = handlers()["session.stats"];
  expect(await stats({}, callOf())).toMatchObject({ states: { created: 1 }, pool });
  expect(await stats({}, callOf(at.ids.next("prj")))).toMatchObject({ states: { created: 0 } });
});

it("keeps a completed session in the archive, and no failed one", async () => {
  const [done, failed] = [await at.active("done"), await at.active("failed")];
  await handlers()["session.close"]({ id: done, failed: false }, callOf());
  await handlers()["session.close"]({ id: failed, failed: true }, callOf());
  const kept = await at.store.reader.archive.list({
    project: at.project,
    sessions: undefined,
    before: undefined,
    limit: 9,
  });
  expect(kept).toMatchObject([{ id: done, session: done, category: "session", title: "done" }]);
});

it("loads every open session after a start, and reports the ones that cannot be loaded", async () => {
  const [good, bad] = [await at.active("good"), await at.active("bad")];
  await at.sessions.shutdown();
  await at.spoil(bad, (row) => ({ ...row, checksum: "0" }));
  at.again();
  const failed: string[] = [];
  await loadOpenSessions(at.sessions, at.store.reader, (id) => failed.push(id));
  expect(failed).toEqual([bad]);
  expect([at.sessions.inMemory(good)?.id, at.sessions.inMemory(bad)]).toEqual([good, undefined]);
});

it("frees room when a run or a graph changes its status, not when a node of a graph does", () => {
  const bus = createBus<LogEvent>({ onSubscriberError: ({ error }) => expect.unreachable(String(error)) });
  let ended = 0;
  const stop = watchEndedWork(bus, () => ended++);
  const publish = (type: string, data: object) => bus.publish(`event.${type}`, { type, data } as unknown as LogEvent);
  publish("run.status-changed", { to: "cancelled" });
  publish("dag.changed", { nodes: [] });
  publish("dag.changed", { status: "succeeded" });
  stop();
  publish("run.status-changed", { to: "failed" });
  expect([ended, bus.size]).toEqual([2, 0]);
});
