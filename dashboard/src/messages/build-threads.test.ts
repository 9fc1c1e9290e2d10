import fc from "fast-check";
import { expect, it } from "vitest";
import type { Mail } from "../daemon/contract.ts";
import { audienceOf, buildThreads, filterThreads, foldText, replyTarget } from "./build-threads.ts";

type Given = { id: number; thread: number; sentAt: number };
const party = (name: string, client = "codex") => ({ id: `agt_${name}`, name, client });
const mail = ({ id, thread, sentAt }: Given, more: object = {}): Mail =>
  ({ id: `msg_${id}`, thread: `msg_${thread}`, sentAt, from: party("heron"), to: [party("otter")], ...more }) as Mail;

it("puts every message into exactly one thread, ordered by time, whatever the order they come in [DASH-7]", () => {
  const given = fc.uniqueArray(fc.record({ id: fc.nat(99), thread: fc.nat(5), sentAt: fc.nat(20) }), {
    selector: ({ id }) => id,
  });
  fc.assert(
    fc.property(given, (all) => {
      const messages = all.map((one) => mail(one));
      const threads = buildThreads(messages);
      const placed = threads.flatMap((thread) => thread.messages);
      expect(placed.map(({ id }) => id).toSorted()).toEqual(messages.map(({ id }) => id).toSorted());
      expect(new Set(threads.map(({ id }) => id)).size).toBe(threads.length);
      for (const { id, messages: members } of threads) {
        expect(members.every(({ thread }) => thread === id)).toBe(true);
        const times = members.map(({ sentAt }) => sentAt);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
      }
      const newest = threads.map((thread) => thread.messages.at(-1)!.sentAt);
      expect(newest).toEqual(newest.toSorted((a, b) => b - a));
      expect(buildThreads(messages.toReversed())).toEqual(threads);
    }),
  );
});

it("shows a message once that two answers brought", () => {
  const one = mail({ id: 1, thread: 1, sentAt: 1 });
  expect(buildThreads([one, { ...one }])[0]!.messages).toHaveLength(1);
});

it("filters threads by an agent on either side and by unread messages", () => {
  const threads = buildThreads([
    mail({ id: 1, thread: 1, sentAt: 1 }),
    mail({ id: 2, thread: 2, sentAt: 2 }, { from: party("crane"), to: undefined, everyone: true }),
  ]);
  const ids = (filter: Parameters<typeof filterThreads>[1]) => filterThreads(threads, filter).map(({ id }) => id);
  expect([ids({}), ids({ agent: "OTT" }), ids({ agent: "crane" })]).toEqual([["msg_2", "msg_1"], ["msg_1"], ["msg_2"]]);
  expect(ids({ unread: new Set(["msg_1"]) })).toEqual(["msg_1"]);
});

it("answers the newest message of another, or writes again to the same receivers", () => {
  const theirs = mail({ id: 1, thread: 1, sentAt: 1 });
  const mine = mail({ id: 2, thread: 1, sentAt: 2 }, { from: party("ada", "human") });
  expect(replyTarget({ id: "msg_1", messages: [theirs, mine] })).toEqual({ replyTo: theirs });
  expect(replyTarget({ id: "msg_1", messages: [mine] })).toEqual({ replyTo: mine, to: ["agt_otter"] });
});

it("names the receivers, and folds only long texts", () => {
  expect(audienceOf(mail({ id: 1, thread: 1, sentAt: 1 }))).toBe("otter");
  expect(audienceOf(mail({ id: 1, thread: 1, sentAt: 1 }, { topic: "api/orders" }))).toBe("topic api/orders");
  expect(foldText("short")).toBeUndefined();
  expect(foldText("a\n".repeat(40))).toBe(`${"a\n".repeat(12).slice(0, -1)}…`);
  expect(foldText("🦆".repeat(2_000))).toBe(`${"🦆".repeat(800)}…`);
});
