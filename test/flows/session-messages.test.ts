/** Messages of sessions as people see them: by session, type and priority, past ones and the next one. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { OutputOf, SessionId } from "../../src/contract/index.ts";
import { jsonOf } from "./run-sylk.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { writeTree } from "./scratch-home.ts";

type Messages = OutputOf<"session.messages">;

let daemon: ScratchDaemon;
let one: SessionId;
let other: SessionId;
beforeAll(async () => {
  daemon = await openScratchDaemon();
  writeTree(daemon.repository, { "cart.ts": "export const total = 1;\n" });
});
afterAll(() => daemon[Symbol.asyncDispose]());
beforeEach(async () => {
  [one, other] = [await newSession("one"), await newSession("other")];
});

async function newSession(name: string): Promise<SessionId> {
  const made = await daemon.sylk(["session", "new", name, "--json"]);
  const { id } = jsonOf<{ session: { id: SessionId } }>(made).session;
  await daemon.sylk(["session", "resume", id]);
  return id;
}

async function ask(session: SessionId, text: string, ...flags: readonly string[]): Promise<void> {
  const { code, stderr } = await daemon.sylk(["ask", `@to:librarian ${text}`, "--session", session, ...flags]);
  expect([code, stderr]).toEqual([0, ""]);
}

const messages = async (session: SessionId, ...flags: readonly string[]): Promise<Messages> =>
  jsonOf<Messages>(await daemon.sylk(["session", "messages", session, ...flags, "--json"]));
const told = ({ items }: Messages) => items.map(({ type, priority }) => `${type} ${priority}`);

it("carry the priority of the question, 50 unless said, from 0 to 100 [GUIDE-2]", async () => {
  await ask(one, "total");
  await ask(one, "total", "--priority", "90");
  expect(told(await messages(one))).toEqual(["USER_INPUT 50", "USER_RESPONSE 50", "USER_INPUT 90", "USER_RESPONSE 90"]);
  const shown = await daemon.sylk(["session", "messages", one]);
  expect(shown.stdout).toMatch(/^3 +\S+ s ago +user +librarian +USER_INPUT +90 +total$/m);
  for (const wrong of ["101", "-1"]) {
    const refused = await daemon.sylk(["ask", "total", `--priority=${wrong}`, "--session", one]);
    expect(refused.code).toBe(2);
  }
});

it("are shown by session, though one Librarian serves them all, by type and by priority [BUS-9, BUS-10, BUS-11, BUS-17]", async () => {
  await ask(one, "total");
  await ask(other, "total", "--priority", "100");
  await ask(one, "total", "--priority", "75");
  await ask(one, "total", "--priority", "74");
  expect(told(await messages(other))).toEqual(["USER_INPUT 100", "USER_RESPONSE 100"]);
  expect((await messages(one)).items).toHaveLength(6);
  expect(told(await messages(one, "--type", "USER_INPUT"))).toEqual([
    "USER_INPUT 50",
    "USER_INPUT 75",
    "USER_INPUT 74",
  ]);
  expect(told(await messages(one, "--min-priority", "75"))).toEqual(["USER_INPUT 75", "USER_RESPONSE 75"]);
  expect(told(await messages(one, "--min-priority", "75", "--type", "USER_RESPONSE"))).toEqual(["USER_RESPONSE 75"]);
  expect((await daemon.sylk(["session", "messages", one, "--type", "HELLO"])).code).toBe(2);
});

it("are waited for by the same filters: no other session, type or priority ends the wait [BUS-9, BUS-10, BUS-11]", async () => {
  const { lastSequence: after } = await messages(one);
  let isOver = false;
  const next = daemon.user
    .call("session.messages", { id: one, type: "USER_RESPONSE", minPriority: 75, after, waitMs: 60_000 })
    .finally(() => (isOver = true));
  await ask(other, "total", "--priority", "100");
  await ask(one, "total", "--priority", "74");
  expect(isOver).toBe(false);
  await ask(one, "total", "--priority", "75");
  expect(told(await next)).toEqual(["USER_RESPONSE 75"]);
});

it("are the latest 200, with the count of older ones, and go with the session's memory", async () => {
  for (let count = 0; count < 103; count++)
    await daemon.user.call("ask.send", {
      input: "@to:librarian total",
      project: { path: daemon.repository },
      session: one,
    });
  const { items, lastSequence, forgotten } = await messages(one, "--limit", "200");
  expect([items.length, items.at(-1)!.sequence, lastSequence, forgotten]).toEqual([200, 206, 206, 6]);
  await daemon.sylk(["session", "suspend", one]);
  expect(await messages(one)).toEqual({ items: [], lastSequence: 0, forgotten: 0 });
});
