import { expect, it } from "vitest";
import { createBus, type SubscriberFailure } from "./bus.ts";
import { createSubjectTrie } from "./subject-trie.ts";

function scratchBus() {
  const failures: SubscriberFailure<string>[] = [];
  const heard: string[] = [];
  const bus = createBus<string>({ onSubscriberError: (failure) => failures.push(failure) });
  const listen = (name: string, pattern: string) =>
    bus.subscribe(pattern, (message) => void heard.push(`${name}:${message}`));
  return { bus, failures, heard, listen };
}

it("delivers to every fitting subscription in order of subscription and counts them", () => {
  const { bus, heard, listen } = scratchBus();
  listen("third-party", "session.**");
  listen("status", "session.*.status");
  listen("other", "agent.**");
  listen("exact", "session.s1.status");
  expect(bus.publish("session.s1.status", "up")).toBe(3);
  expect(bus.publish("nobody.listens", "up")).toBe(0);
  expect(heard).toEqual(["third-party:up", "status:up", "exact:up"]);
});

it("calls a handler twice that was subscribed twice, and tells it the subject", () => {
  const { bus } = scratchBus();
  const seen: string[] = [];
  const handler = (message: string, subject: string) => void seen.push(`${subject}=${message}`);
  const leave = bus.subscribe("a.*", handler);
  bus.subscribe("a.*", handler);
  expect(bus.publish("a.b", "1")).toBe(2);
  leave();
  expect(bus.publish("a.c", "2")).toBe(1);
  expect(seen).toEqual(["a.b=1", "a.b=1", "a.c=2"]);
});

it("ends a subscription once, however often that is asked", () => {
  const { bus, listen } = scratchBus();
  const leave = listen("one", "a");
  listen("two", "a");
  leave();
  leave();
  expect(bus.size).toBe(1);
  expect(bus.publish("a", "x")).toBe(1);
});

it("reports a handler that throws and still serves the others", () => {
  const { bus, failures, heard, listen } = scratchBus();
  const error = new Error("broken");
  bus.subscribe("a.*", () => {
    throw error;
  });
  listen("after", "a.b");
  expect(bus.publish("a.b", "x")).toBe(2);
  expect(failures).toEqual([{ error, pattern: "a.*", subject: "a.b", message: "x" }]);
  expect(heard).toEqual(["after:x"]);
});

it("reports a handler whose promise is rejected", async () => {
  const { bus, failures } = scratchBus();
  bus.subscribe("a", () => Promise.reject(new Error("late")));
  bus.subscribe("a", async () => {});
  bus.publish("a", "x");
  await Promise.resolve();
  await Promise.resolve();
  expect(failures).toMatchObject([{ error: { message: "late" }, subject: "a" }]);
});

it("serves the others even if reporting fails, and then does not hide it", () => {
  const heard: string[] = [];
  const bus = createBus<string>({
    onSubscriberError: () => {
      throw new Error("log is full");
    },
  });
  bus.subscribe("a", () => {
    throw new Error("broken");
  });
  bus.subscribe("a", (message) => void heard.push(message));
  expect(() => bus.publish("a", "x")).toThrow(/onSubscriberError failed/);
  expect(heard).toEqual(["x"]);
});

it("gives a message only to those subscribed when it was published", () => {
  const { bus, heard, listen } = scratchBus();
  const leave = bus.subscribe("a", () => {
    leave();
    listen("newcomer", "a");
  });
  expect(bus.publish("a", "1")).toBe(1);
  expect(heard).toEqual([]);
  expect(bus.publish("a", "2")).toBe(1);
  expect(heard).toEqual(["newcomer:2"]);
});

it("does not call a subscription that another handler has just ended", () => {
  const { bus, heard, listen } = scratchBus();
  bus.subscribe("a", () => leave());
  const leave = listen("gone", "a");
  expect(bus.publish("a", "x")).toBe(1);
  expect(heard).toEqual([]);
});

it("delivers a message published by a handler before the outer delivery continues", () => {
  const { bus, heard, listen } = scratchBus();
  bus.subscribe("outer", () => void bus.publish("inner", "2"));
  listen("late", "**");
  bus.publish("outer", "1");
  expect(heard).toEqual(["late:2", "late:1"]);
});

it("refuses illegal subjects and patterns without changing anything", () => {
  const { bus, listen } = scratchBus();
  expect(() => bus.publish("a.*", "x")).toThrow(/wildcards belong in subscriptions/);
  expect(() => listen("bad", "a..b")).toThrow(/segment is empty/);
  expect(bus.size).toBe(0);
});

it("reports a filter that throws, keeps the message from its own handler only, and counts", () => {
  const { bus, failures, heard, listen } = scratchBus();
  bus.subscribe("a", () => expect.unreachable(), {
    name: "picky",
    accepts: () => {
      throw new Error("planted");
    },
  });
  bus.subscribe("a", () => expect.unreachable(), { accepts: () => false });
  listen("other", "a");
  expect(bus.publish("a", "x")).toBe(1);
  expect(heard).toEqual(["other:x"]);
  expect(failures).toMatchObject([{ error: { message: "planted" } }]);
  expect(bus.subscriptions()).toMatchObject([
    { name: "picky", delivered: 0, failed: 1 },
    { delivered: 0, failed: 0 },
    { name: "a", delivered: 1, failed: 0 },
  ]);
});

it("visits as many nodes for a subject among 10,000 subscriptions as among 10 [BUS-8]", () => {
  const visited = [10, 10_000].map((others) => {
    const trie = createSubjectTrie<number>();
    trie.add("session.*.status", -1);
    for (let index = 0; index < others; index++) trie.add(`session.s${index}.librarian.requests`, index);
    return trie.match("session.s7.librarian.requests").visited;
  });
  expect(visited[1]).toBe(visited[0]);
});
