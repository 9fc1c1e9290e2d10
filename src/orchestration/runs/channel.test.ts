import { describe, expect, it } from "vitest";
import { DomainError } from "../../contract/index.ts";
import { NodeFailure } from "../dag/index.ts";
import { ModelFailure } from "../models/index.ts";
import { type Channel, createChannel, type Frame, type Served } from "./channel.ts";

type Left = { readonly double: { readonly input: number; readonly output: number } };
type Right = {
  readonly greet: { readonly input: string; readonly output: string };
  readonly wait: { readonly input: undefined; readonly output: string };
};

/** Two ends of one channel; frames pass as JSON, as they do between processes. */
function pair(right: Partial<Served<Right>> = {}, left: Partial<Served<Left>> = {}) {
  const sent: Frame[] = [];
  const passOn = (to: () => Pick<Channel<Left>, "receive">) => (frame: Frame) => {
    sent.push(frame);
    const copy = JSON.parse(JSON.stringify(frame)) as Frame;
    queueMicrotask(() => to().receive(copy));
  };
  const a: Channel<Right> = createChannel<Right, Left>({ send: passOn(() => b), serve: left as Served<Left> });
  const b: Channel<Left> = createChannel<Left, Right>({ send: passOn(() => a), serve: right as Served<Right> });
  return { a, b, sent };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a channel", () => {
  it("carries calls in both directions at once, each to its own answer", async () => {
    const { a, b }: ReturnType<typeof pair> = pair(
      { greet: async (name): Promise<string> => `hello ${name} ${await b.call("double", 4)}` },
      { double: async (n) => 2 * n },
    );
    const said = await Promise.all([a.call("greet", "heron"), b.call("double", 21), a.call("greet", "otter")]);
    expect(said).toEqual(["hello heron 8", 42, "hello otter 8"]);
  });

  it.each<[string, Error]>([
    ["a DomainError", new DomainError("lease.lost", "otter has it now", { details: { holder: "otter" } })],
    ["a ModelFailure", new ModelFailure("rate-limit", "too many", { retryAfterMs: 7 })],
    ["a NodeFailure", new NodeFailure({ class: "user-fixable", message: "no such folder" })],
  ])("keeps the class of %s, and what it says", async (_, error) => {
    const { a } = pair({ greet: () => Promise.reject(error) });
    const got = await a.call("greet", "x").catch((reason: unknown) => reason);
    expect(got).toBeInstanceOf(error.constructor);
    const facts = ({ code, details, kind, retryAfterMs, error: failure, message }: Record<string, unknown>) =>
      JSON.stringify({ code, details, kind, retryAfterMs, failure, message });
    expect(facts(got as Record<string, unknown>)).toBe(facts(error as unknown as Record<string, unknown>));
  });

  it("tells a defect of the other side by its message, and refuses a method that is not served", async () => {
    const { a } = pair({ greet: () => Promise.reject(new TypeError("planted")) });
    await expect(a.call("greet", "x")).rejects.toThrow("planted");
    await expect(a.call("wait", undefined)).rejects.toThrow("unknown method wait");
  });

  it("brings an abort to the other side, and the call ends when that side has ended", async () => {
    const stopped = Promise.withResolvers<void>();
    const cleaned = Promise.withResolvers<void>();
    const { a } = pair({
      async wait(_, signal) {
        signal.addEventListener("abort", () => stopped.resolve());
        await cleaned.promise;
        throw new Error("stopped");
      },
    });
    const leaving = new AbortController();
    let ended = false;
    const call = a.call("wait", undefined, leaving.signal);
    call.catch(() => {}).finally(() => (ended = true));
    await turn();
    leaving.abort(new Error("the user left"));
    await stopped.promise;
    await turn();
    expect(ended, "the other side is still at work").toBe(false);
    cleaned.resolve();
    await expect(call).rejects.toThrow("the user left");
  });

  it("does not begin a call that is aborted already, and sends no abort of one that has ended", async () => {
    const { a, sent } = pair({ greet: async () => "hello" });
    const leaving = new AbortController();
    await a.call("greet", "x", leaving.signal);
    const before = sent.length;
    leaving.abort(new Error("too late"));
    await expect(a.call("greet", "x", leaving.signal)).rejects.toThrow("too late");
    expect(sent).toHaveLength(before);
  });

  it("rejects with its reason what waits when it closes, and every call after it; what it serves is told", async () => {
    const told = Promise.withResolvers<unknown>();
    const { a, b } = pair({
      wait: (_, signal) => {
        signal.addEventListener("abort", () => told.resolve(signal.reason));
        return new Promise(() => {});
      },
    });
    const calls = [a.call("wait", undefined), a.call("wait", undefined)];
    const outcomes = Promise.allSettled(calls);
    await turn();
    const reason = new Error("the worker ended");
    a.close(reason);
    expect(await outcomes).toEqual([
      { status: "rejected", reason },
      { status: "rejected", reason },
    ]);
    await expect(a.call("greet", "x")).rejects.toBe(reason);
    b.close(reason);
    expect(await told.promise).toBe(reason);
  });
});
