import { expect, it } from "vitest";
import { DomainError } from "../../contract/index.ts";
import type { AuditRepository } from "../../platform/audit/index.ts";
import type { Call } from "../../platform/operations/index.ts";
import { type DaemonHandlerPorts, daemonHandlers } from "./handlers.ts";

type Repositories = { readonly audit: AuditRepository };
const audited: unknown[] = [];
const call = {
  caller: { kind: "user", project: undefined },
  transact: (_: string, work: (tx: unknown) => unknown) =>
    work({ audit: { append: async (act: unknown) => void audited.push(act) } }),
} as Call<Repositories, { readonly kind: "user"; readonly project: undefined }>;

function handlers(changed: Partial<DaemonHandlerPorts> = {}) {
  return daemonHandlers({
    pid: 7,
    version: "1.0.0",
    protocol: 1,
    home: "/home",
    socket: "/home/sylk.sock",
    startedAt: 5,
    url: () => "http://127.0.0.1:7373",
    store: { probe: async () => {} },
    database: "/home/sylk.db",
    tracker: { incidents: () => [] },
    liveAgents: async () => 2,
    busySessions: async () => 1,
    pool: () => ({ limit: 4, running: 1, waiting: 0 }),
    whyHomeLost: () => undefined,
    noticeFailures: async () => ({ count: 0, last: undefined }),
    logTrouble: () => undefined,
    allowedHosts: () => ["sylk.example.com"],
    makeLink: () => ({ code: "c0de", expiresAt: 60 }),
    stop: () => {},
    examine: async () => ({ healthy: true, findings: [] }),
    ...changed,
  });
}

it("says that the store takes no changes, and the store's own reason", async () => {
  const refused = new DomainError("store.unavailable", "The disk is full; make room");
  const broken = handlers({ store: { probe: () => Promise.reject(refused) } });
  expect(await broken["daemon.status"]({}, call)).toMatchObject({
    agents: 2,
    sessions: 1,
    store: { state: "unavailable", reason: "The disk is full; make room" },
    troubles: [{ part: "store", what: expect.stringContaining("The disk is full") }],
  });
  expect(await handlers()["daemon.status"]({}, call)).toMatchObject({ store: { state: "ok" }, troubles: [] });
});

it("does not take a defect of the store for its refusal", async () => {
  const broken = handlers({ store: { probe: () => Promise.reject(new TypeError("planted")) } });
  await expect(broken["daemon.status"]({}, call)).rejects.toThrow("planted");
});

it("counts the lines that the log lost", async () => {
  const full = handlers({ logTrouble: () => ({ reason: "ENOSPC", lostLines: 3 }) });
  const { troubles } = await full["daemon.status"]({}, call);
  expect(troubles).toMatchObject([{ part: "log", what: expect.stringContaining("3 lines") }]);
});

it("stops after its answer, but not for a daemon that has gone", async () => {
  const stopped = Promise.withResolvers<void>();
  const daemon = handlers({ stop: stopped.resolve });
  expect(await daemon["daemon.stop"]({ pid: 8 }, call)).toEqual({ stopping: false, pid: 7 });
  expect(await daemon["daemon.stop"]({ pid: 7 }, call)).toEqual({ stopping: true, pid: 7 });
  await stopped.promise;
});

it("audits each link that signs a browser in, and makes none without HTTP", async () => {
  expect(await handlers()["dashboard.link"]({}, call)).toEqual({
    url: "http://127.0.0.1:7373/signin?code=c0de",
    elsewhere: ["https://sylk.example.com/signin?code=c0de"],
    expiresAt: 60,
  });
  expect(audited).toMatchObject([{ action: "dashboard.link-made", subject: "user" }]);
  await expect(handlers({ url: () => null })["dashboard.link"]({}, call)).rejects.toMatchObject({
    code: "settings.invalid",
  });
  expect(audited).toHaveLength(1);
});

it("examines a folder once for all who ask meanwhile", async () => {
  let examined = 0;
  const busy = handlers({
    examine: async () => {
      examined++;
      return { healthy: true, findings: [] };
    },
  });
  await Promise.all([1, 2, 3].map(() => busy["daemon.examine"]({}, call)));
  expect(examined).toBe(1);
});
