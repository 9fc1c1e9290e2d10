/** What a session is when it is paused, and what it is when it is resumed, read from the disk and from the surfaces. */
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { SessionId } from "../../src/contract/index.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { makeQuickShop, type Shop, shopEnv } from "./scratch-shop.ts";

let daemon: ScratchDaemon;
let shop: Shop;
beforeAll(async () => {
  daemon = await openScratchDaemon({ env: shopEnv });
  shop = makeQuickShop(daemon);
});
afterAll(() => daemon[Symbol.asyncDispose]());

type Route = { readonly leftMs: number };
type Context = { readonly parts: { readonly router: { readonly routes: readonly Route[] } } };

const client = () => daemon.clientOf({ project: shop.repository });
const where = "where is the total computed?";
const unclear = "good morning, please";

/** Everything a session's user can put into it, by the commands a user has. */
async function filled(): Promise<SessionId> {
  const wanted = { name: "till", description: "The till", branch: "till" };
  const { id } = (await client().call("session.create", wanted)).session;
  await shop.sylk("session", "switch", id);
  await shop.sylk("session", "note", "ticket", "SHOP-42");
  await shop.sylk("session", "set", "budget", "200k");
  const ask = (input: string, more: object = {}) =>
    client().call("ask.send", { input, project: { path: shop.repository }, session: id, ...more });
  await ask(unclear, { confirm: "librarian" }); // first: a correction makes the session forget its routes
  await ask(where);
  return id;
}

/** The saved context, and the time that its routes have left apart: it passes. */
function savedOf(session: SessionId): { readonly context: Context; readonly leftMs: readonly number[] } {
  const store = new Database(daemon.paths.database, { readonly: true });
  const row = store.prepare("SELECT content FROM session_snapshots WHERE session = ?").get(session) as {
    content: string;
  };
  store.close();
  const { context } = JSON.parse(row.content) as { context: Context };
  const { router } = context.parts;
  return {
    leftMs: router.routes.map((route) => route.leftMs),
    context: {
      ...context,
      parts: { router: { ...router, routes: router.routes.map((route) => ({ ...route, leftMs: 0 })) } },
    },
  };
}

it("is on the disk with all it holds when pause answers: notes, preferences, routes, corrections, state [SM-16]", async () => {
  const id = await filled();
  const paused = await shop.sylk("session", "pause");
  expect(paused.stdout.trim()).toBe(`${id} "till" is paused`);
  expect(savedOf(id).context).toEqual({
    agents: [],
    metadata: { ticket: "SHOP-42" },
    preferences: { budget: "200000" },
    parts: {
      router: {
        version: 1,
        session: id,
        pending: [],
        routes: [expect.objectContaining({ to: "librarian", intent: "check", confidence: 1 })],
        corrections: [{ text: unclear, to: "librarian" }],
        state: { turns: 2, lastTarget: "librarian", lastIntent: "check" },
      },
    },
  });
  await client().call("session.close", { id });
});

it("is the same after resume, deep-equal, in the same daemon, from the disk alone and after kill -9 [SM-17]", async () => {
  const id = await filled();
  const shown = async () => (await client().call("session.get", { id })).session;
  const { preferences, promoted, metadata, topics, name, description, branch, workflow } = await shown();
  const kept = { preferences, promoted, metadata, topics, name, description, branch, workflow };
  await shop.sylk("session", "pause");
  const first = savedOf(id);
  const ways: readonly (() => Promise<unknown>)[] = [
    async () => {},
    () => client().call("session.suspend", { id }),
    async () => {
      await daemon.kill();
      await daemon.restart({ env: shopEnv });
    },
  ];
  for (const putDown of ways) {
    await putDown();
    expect((await shop.sylk("session", "resume", id)).stdout.trim()).toBe(`${id} "till" is active`);
    expect(await shown()).toMatchObject(kept);
    const decided = async (input: string) => (await client().call("ask.routes", { input, session: id })).decision;
    expect(await decided(where)).toMatchObject({ to: ["librarian"], by: "session-cache" });
    expect(await decided(unclear)).toMatchObject({ to: ["librarian"] });
    await shop.sylk("session", "pause", id);
    const again = savedOf(id);
    expect(again.context).toEqual(first.context);
    for (const [route, leftMs] of again.leftMs.entries()) expect(leftMs).toBeLessThanOrEqual(first.leftMs[route]!);
  }
});
