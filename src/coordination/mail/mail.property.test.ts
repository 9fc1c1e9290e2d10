/**
 * Any interleaving of sending, reading, telling what was read, answering, crashing, registering and ending: every receiver
 * gets every message for it exactly once, in the order of sending; and retention keeps its promise.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { operations, parseInput, type MailChannel, type MessageId } from "../../contract/index.ts";
import { endAgent } from "../agent-end/index.ts";
import { scratchPorts, type AgentCall, type ScratchPorts } from "../testkit.ts";
import { ackMail, readInbox, removeOldMail, searchMail, sendMail, subscribeToTopic } from "./index.ts";

const names = ["heron", "otter", "lynx"] as const;
type Name = (typeof names)[number];
const channels = ["requests", "notices"] as const;

type Audience = { readonly to: readonly Name[] } | { readonly topic: "api" } | { readonly everyone: true };
type Step =
  | { readonly kind: "send"; readonly by: Name; readonly audience: Audience; readonly channel: MailChannel }
  | { readonly kind: "reply"; readonly by: Name }
  /** Reads a page; `lost`: the answer never arrives, so nothing is told with the next call. */
  | {
      readonly kind: "read";
      readonly by: Name;
      readonly channel: MailChannel;
      readonly limit: number;
      readonly lost: boolean;
    }
  | { readonly kind: "register" | "end" | "subscribe" | "leave"; readonly by: Name }
  | { readonly kind: "crash" };

const by = fc.constantFrom(...names);
const channel = fc.constantFrom(...channels);
const audience: fc.Arbitrary<Audience> = fc.oneof(
  fc.record({ to: fc.uniqueArray(by, { minLength: 1 }) }),
  fc.constant({ topic: "api" } as const),
  fc.constant({ everyone: true } as const),
);
const of = <const Kind extends Step["kind"]>(...kinds: readonly Kind[]) => fc.constantFrom(...kinds);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: of("send"), by, audience, channel }) },
  { weight: 2, arbitrary: fc.record({ kind: of("reply"), by }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: of("read"), by, channel, limit: fc.constantFrom(1, 2, 50), lost: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ kind: of("register", "end"), by }) },
  { weight: 4, arbitrary: fc.record({ kind: of("subscribe", "subscribe", "leave"), by }) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: "crash" }) },
);

it("delivers each message exactly once to each receiver, in order, whatever happens between [MAIL-1]", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      using world = createWorld();
      for (const early of ["heron", "otter"] as const) await world.perform({ kind: "register", by: early });
      for (const step of steps) await world.perform(step);
      await world.readAll();
      expect(world.received()).toEqual(world.expected());
    }),
    { numRuns: 25 },
  );
});

/** The real store beside a model that only knows who is registered and subscribed at each moment. */
function createWorld() {
  let ports: ScratchPorts = scratchPorts({ maxPerMinute: 10_000, maxPerPairPerMinute: 10_000 });
  const calls = new Map<Name, AgentCall>();
  const ended = new Set<Name>();
  const subscribed = new Set<Name>();
  const expected = new Map<string, string[]>();
  const received = new Map<string, string[]>();
  const cursors = new Map<string, string>();
  const lastSeen = new Map<Name, MessageId>();
  let sent = 0;
  const box = (name: Name, one: MailChannel) => `${name} ${one}`;
  const push = (map: Map<string, string[]>, key: string, subject: string) =>
    void map.set(key, [...(map.get(key) ?? []), subject]);
  const callOf = (name: Name) => ({ ...calls.get(name)!, transact: ports.store.transact });
  const isHere = (name: Name) => calls.has(name) && !ended.has(name);

  async function send(from: Name, to: Audience, one: MailChannel, replyTo?: MessageId): Promise<void> {
    const subject = `message ${++sent}`;
    const content =
      one === "requests" ? { kind: "text" } : { kind: "commit-notice", commit: "4f2a91c", paths: ["src/a.ts"] };
    const wanted = parseInput(operations["mail.send"], { ...to, subject, content, replyTo });
    await sendMail(wanted, callOf(from), ports);
    const known = names.filter((name) => calls.has(name));
    const others = known.filter((name) => name !== from);
    const receivers = "to" in to ? to.to : "topic" in to ? others.filter((name) => subscribed.has(name)) : others;
    for (const receiver of receivers) push(expected, box(receiver, one), subject);
  }

  async function read(name: Name, one: MailChannel, limit: number, lost: boolean): Promise<number> {
    const upTo = cursors.get(box(name, one));
    const wanted = parseInput(operations["mail.inbox"], {
      channel: one,
      limit,
      ...(upTo === undefined ? {} : { upTo }),
    });
    const { items, cursor } = await readInbox(wanted, callOf(name), ports);
    if (lost) return items.length;
    for (const { subject } of items) push(received, box(name, one), subject);
    if (cursor !== undefined) cursors.set(box(name, one), cursor);
    const last = items.at(-1);
    if (last !== undefined) lastSeen.set(name, last.id);
    return items.length;
  }

  async function perform(step: Step): Promise<void> {
    if (step.kind === "crash") {
      ports = ports.restart();
      return;
    }
    if (step.kind === "register") {
      calls.set(step.by, await ports.caller(step.by));
      ended.delete(step.by);
    }
    if (!isHere(step.by)) return;
    if (step.kind === "send") {
      const everyReceiverIsKnown = !("to" in step.audience) || step.audience.to.every((name) => calls.has(name));
      if (everyReceiverIsKnown) await send(step.by, step.audience, step.channel);
    }
    if (step.kind === "reply") {
      const replyTo = lastSeen.get(step.by);
      if (replyTo !== undefined) await send(step.by, { everyone: true }, "requests", replyTo);
    }
    if (step.kind === "read") await read(step.by, step.channel, step.limit, step.lost);
    if (step.kind === "subscribe" || step.kind === "leave") {
      await subscribeToTopic({ topic: "api", off: step.kind === "leave" }, callOf(step.by));
      if (step.kind === "subscribe") subscribed.add(step.by);
      else subscribed.delete(step.by);
    }
    if (step.kind === "end") {
      await endAgent(callOf(step.by).caller.agent.id, callOf(step.by), ports);
      ended.add(step.by);
    }
  }

  return {
    perform,
    async readAll(): Promise<void> {
      for (const name of calls.keys()) {
        await perform({ kind: "register", by: name });
        for (const one of channels) while ((await read(name, one, 3, false)) > 0);
      }
    },
    received: () => Object.fromEntries(received),
    expected: () => Object.fromEntries(expected),
    [Symbol.dispose]: () => ports[Symbol.dispose](),
  };
}

const dayMs = 86_400_000;
const letter = fc.record({
  ageDays: fc.integer({ min: 0, max: 120 }),
  importance: fc.constantFrom("low", "normal", "high", "urgent"),
  ackRequired: fc.boolean(),
  read: fc.boolean(),
  acked: fc.boolean(),
});

it("removes nothing before its limit, nothing important that waits before its own, and everything after", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(letter, { maxLength: 12 }), async (letters) => {
      using ports = scratchPorts({ maxPerMinute: 10_000, maxPerPairPerMinute: 10_000 });
      const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
      // What was read comes first: a cursor reads everything before it.
      const ordered = letters.toSorted((a, b) => Number(b.read) - Number(a.read));
      const start = ports.clock.now();
      for (const [index, { importance, ackRequired, read, acked, ageDays }] of ordered.entries()) {
        ports.clock.jumpWall(start - ageDays * dayMs - ports.clock.now());
        const wanted = { to: ["otter"], subject: `letter ${index}`, importance, ackRequired };
        const { message } = await sendMail(parseInput(operations["mail.send"], wanted), heron, ports);
        if (acked) await ackMail(message.id, otter, ports);
        if (read) {
          const { cursor } = await readInbox(parseInput(operations["mail.inbox"], {}), otter, ports);
          await readInbox(parseInput(operations["mail.inbox"], { upTo: cursor }), otter, ports);
        }
      }
      ports.clock.jumpWall(start - ports.clock.now());
      await removeOldMail({ retentionDays: 30, importantRetentionDays: 90 }, ports);
      const { items } = await searchMail(parseInput(operations["mail.search"], { limit: 100 }), otter.caller, ports);
      const kept = ordered
        .map((one, index) => ({ ...one, index }))
        .filter((one) => {
          const waits = (one.ackRequired && !one.acked) || (["high", "urgent"].includes(one.importance) && !one.read);
          return one.ageDays <= (waits ? 90 : 30);
        });
      expect(items.map(({ subject }) => subject).toSorted()).toEqual(
        kept.map(({ index }) => `letter ${index}`).toSorted(),
      );
    }),
    { numRuns: 20 },
  );
});
