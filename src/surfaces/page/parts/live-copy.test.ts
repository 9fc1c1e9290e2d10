/** The page's copy without a browser: what is read, when, and how often. */
import { expect, it } from "vitest";
import { eventDefinitions } from "../../../contract/index.ts";

type Connection = "connecting" | "live" | "reconnecting" | "signed-out";
type Listener = {
  onOpen(): void;
  onEvent(event: { type: string; data: Record<string, unknown> }): void;
  onLost(isFinal: boolean): void;
};
type LiveCopy = {
  readonly copy: { readonly connection: Connection } & Record<string, unknown>;
  connect(): Promise<void>;
  show(id: string | undefined): void;
};

// The page is JavaScript; its types are checked by its own tsconfig.json.
const part = (name: string) => import(new URL(name, import.meta.url).href);
const { createLiveCopy } = await part("live-copy.js");
const { concerns } = await part("concerns.js");
const { Refused } = await part("read-daemon.js");

it("names every event type of the contract, since a browser hears only those it names", () => {
  expect(Object.keys(concerns).sort()).toEqual(eventDefinitions.map(({ type }) => type).sort());
});

it("takes the cursor before it reads anything else, and streams from there", async () => {
  const page = openCopy();
  await page.connect();
  expect(page.asked).toEqual(["/session"]);
  expect(page.streams).toEqual([41]);
  await page.frame();
  expect(page.take()).toEqual([
    "/session",
    "/v1/status",
    "/v1/agents",
    "/v1/reservations",
    "/v1/approvals",
    "/v1/runs",
    "/v1/runs/run_new",
  ]);
  page.listener.onOpen();
  expect(page.live.copy.connection).toBe("live");
});

it("reads again what an event concerns, once for a thousand of them", async () => {
  const page = await openLiveCopy();
  for (let count = 0; count < 1_000; count++) page.event("reservation.acquired");
  await page.frame();
  expect(page.take()).toEqual(["/v1/reservations", "/v1/agents"]);
  page.event("run.message");
  await page.frame();
  expect(page.take()).toEqual([]);
});

it("reads once more when an event comes while the answer is under way, and never twice at a time", async () => {
  const page = await openLiveCopy();
  const answer = page.holdNext();
  page.event("agent.registered");
  await page.frame();
  page.event("agent.registered");
  await page.frame();
  expect(page.take()).toEqual(["/v1/agents"]);
  answer.release();
  await page.frame();
  expect(page.take()).toEqual(["/v1/agents"]);
});

it("follows the newest run, or stays with the chosen one, and ignores the events of others", async () => {
  const page = await openLiveCopy();
  page.event("run.node-changed", { run: "run_new" });
  await page.frame();
  expect(page.take()).toEqual(["/v1/runs", "/v1/runs/run_new"]);
  page.live.show("run_old");
  await page.frame();
  expect(page.take()).toEqual(["/v1/runs/run_old"]);
  page.event("run.node-changed", { run: "run_new" });
  page.event("approval.requested", { approval: { run: "run_new" } });
  await page.frame();
  expect(page.take()).toEqual(["/v1/runs", "/v1/approvals"]);
});

it("is signed out by a refused reading, and comes back with a new sign-in", async () => {
  const page = await openLiveCopy();
  page.refuse(401);
  page.event("agent.registered");
  await page.frame();
  expect(page.live.copy.connection).toBe("signed-out");
  page.refuse(undefined);
  page.take();
  await page.live.connect();
  await page.frame();
  expect(page.live.copy.connection).toBe("connecting");
  expect(page.take()).toContain("/v1/agents");
});

it("waits for a stream that comes back by itself, and begins anew with one that does not", async () => {
  const page = await openLiveCopy();
  page.listener.onLost(false);
  expect([page.live.copy.connection, page.waiting()]).toEqual(["reconnecting", 0]);
  page.listener.onLost(true);
  page.refuse(503);
  await page.later();
  expect([page.live.copy.connection, page.waiting()]).toEqual(["reconnecting", 1]);
  page.refuse(undefined);
  await page.later();
  await page.frame();
  expect(page.streams).toEqual([41, 41]);
  expect(page.take()).toContain("/v1/reservations");
});

it("says why a chosen run cannot be shown", async () => {
  const page = await openLiveCopy();
  page.live.show("run_none");
  await page.frame();
  expect(page.live.copy).toMatchObject({ run: undefined, runProblem: "refused with 404" });
});

async function openLiveCopy() {
  const page = openCopy();
  await page.connect();
  page.listener.onOpen();
  await page.frame();
  page.take();
  return page;
}

function openCopy() {
  const asked: string[] = [];
  const streams: number[] = [];
  const frames: (() => void)[] = [];
  const timers: (() => void)[] = [];
  let status: number | undefined;
  let held: PromiseWithResolvers<void> | undefined;
  let listener: Listener | undefined;
  const live = createLiveCopy({
    async read(path: string) {
      asked.push(path.split("?")[0]!);
      const hold = held;
      held = undefined;
      await hold?.promise;
      const refused = path.endsWith("run_none") ? 404 : status;
      if (refused !== undefined) throw new Refused(refused, `refused with ${refused}`);
      return answers[path.split("?")[0]!] ?? { items: [] };
    },
    openStream(after: number, heard: Listener) {
      streams.push(after);
      listener = heard;
      return { close() {} };
    },
    nextFrame: (work: () => void) => void frames.push(work),
    later: (_ms: number, work: () => void) => void timers.push(work),
    onChange() {},
  }) as LiveCopy;
  const settle = async (): Promise<void> => void (await new Promise((resolve) => setImmediate(resolve)));
  return {
    live,
    asked,
    streams,
    get listener(): Listener {
      return listener!;
    },
    connect: () => live.connect(),
    event: (type: string, data: Record<string, unknown> = {}) => listener!.onEvent({ type, data }),
    refuse: (wanted: number | undefined) => void (status = wanted),
    waiting: () => timers.length,
    take: () => asked.splice(0),
    holdNext() {
      const hold = Promise.withResolvers<void>();
      held = hold;
      return { release: () => hold.resolve() };
    },
    /** Frames, until none is wanted any more. */
    async frame() {
      for (await settle(); frames.length > 0; await settle()) for (const work of frames.splice(0)) work();
    },
    async later() {
      for (const work of timers.splice(0)) work();
      await settle();
    },
  };
}

const answers: Readonly<Record<string, unknown>> = {
  "/session": { csrf: "c", cursor: 41, expiresAt: 0 },
  "/v1/runs": { items: [{ id: "run_new" }, { id: "run_old" }] },
  "/v1/runs/run_new": { run: { id: "run_new" } },
  "/v1/runs/run_old": { run: { id: "run_old" } },
};
