import { expect, it } from "vitest";
import { DomainError, type AgentCaller } from "../../contract/index.ts";
import { storeUnavailable } from "../store/index.ts";
import { dayMs, heron, otter, planted, refusal, scratchDispatch, type ScratchDispatch } from "./testkit.ts";

type Body = Readonly<Record<string, unknown>>;

function create({ dispatch }: ScratchDispatch, body: Body, idempotencyKey?: string, caller: AgentCaller = heron) {
  return dispatch("work-item.create", body, caller, { idempotencyKey });
}

/** The error a call ends with, as its caller sees it. */
async function failureOf(call: Promise<unknown>): Promise<DomainError> {
  const error = await call.then(
    () => new Error("the call did not fail"),
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(DomainError);
  return error as DomainError;
}

it("answers the same key and body with the first answer and does the work once [CORE-12]", async () => {
  using scratch = scratchDispatch();
  const first = await create(scratch, { title: "a" }, "key-1");
  scratch.script(async () => ({ answer: "another" }));
  expect(await create(scratch, { title: "a" }, "key-1")).toEqual(first);
  expect(await scratch.committed()).toEqual(["a"]);
  expect(scratch.effects).toEqual(["a"]);
});

it("does the work each time without a key, and for each new key", async () => {
  using scratch = scratchDispatch();
  for (const key of [undefined, undefined, "key-1", "key-2"]) await create(scratch, { title: "a" }, key);
  expect(await scratch.committed()).toEqual(["a", "a", "a", "a"]);
});

it("refuses the same key with another body and changes nothing [CORE-12]", async () => {
  using scratch = scratchDispatch();
  const first = await create(scratch, { title: "a" }, "key-1");
  const failure = await failureOf(create(scratch, { title: "b" }, "key-1"));
  expect(failure).toMatchObject({ code: "idempotency.mismatch", details: { operation: "work-item.create" } });
  expect(failure.message).toContain("use a new key");
  expect(scratch.runs).toEqual(["a"]);
  expect(await create(scratch, { title: "a" }, "key-1")).toEqual(first);
});

it("keeps keys apart by caller and by operation [CORE-12]", async () => {
  using scratch = scratchDispatch();
  const close = (reason: string) =>
    scratch.dispatch("work-item.close", { id: "wrk_01jd8q3m7k4x9t2v5b8n1c", reason }, heron, { idempotencyKey: "key" });
  await create(scratch, { title: "heron creates" }, "key");
  await create(scratch, { title: "otter creates" }, "key", otter);
  await close("heron closes");
  await close("heron closes");
  expect(await scratch.committed()).toEqual(["heron creates", "otter creates", "heron closes"]);
});

it("replays a refusal as it was, although its reason is gone, and keeps nothing the refused work did [CORE-12]", async () => {
  using scratch = scratchDispatch();
  scratch.script(async () => Promise.reject(refusal()));
  const first = await failureOf(create(scratch, { title: "a" }, "key-1"));
  scratch.script(async () => "would be granted now");
  const second = await failureOf(create(scratch, { title: "a" }, "key-1"));
  for (const failure of [first, second]) {
    const { code, message, details, retryAfterMs } = refusal();
    expect(failure).toMatchObject({ code, message, details, retryAfterMs });
  }
  expect(scratch.runs).toEqual(["a"]);
  expect(await scratch.committed()).toEqual([]);
  expect(scratch.effects).toEqual([]);
});

it("gives the first caller of a refused request the refusal with its cause [CORE-8]", async () => {
  using scratch = scratchDispatch();
  scratch.script(async () => Promise.reject(refusal()));
  expect((await failureOf(create(scratch, { title: "a" }, "key-1"))).cause).toBe(planted);
});

it.each([
  ["store.unavailable", () => storeUnavailable(planted), "store.unavailable"],
  ["daemon.stopping", () => new DomainError("daemon.stopping", "stopping"), "daemon.stopping"],
  ["a defect", () => new TypeError("planted"), "internal"],
])("does not keep %s: a retry with the same key tries again [CORE-12]", async (_name, failureNow, code) => {
  using scratch = scratchDispatch();
  scratch.script(async () => Promise.reject(failureNow()));
  expect(await failureOf(create(scratch, { title: "a" }, "key-1"))).toMatchObject({ code });
  expect(await scratch.committed()).toEqual([]);
  scratch.script(async () => "done");
  expect(await create(scratch, { title: "a" }, "key-1")).toBe("done");
  expect(await scratch.committed()).toEqual(["a"]);
});

it("does not keep an answer whose transaction the store ended: a retry with the same key does the work [CORE-12]", async () => {
  using scratch = scratchDispatch();
  scratch.script(async (tx) => {
    await tx.titles.takeRoom();
    await tx.titles.add("x".repeat(500_000));
  });
  expect(await failureOf(create(scratch, { title: "a" }, "key-1"))).toMatchObject({ code: "store.unavailable" });
  await scratch.store.transact("scope", (tx) => tx.titles.makeRoom());
  scratch.script(async () => "done");
  expect(await create(scratch, { title: "a" }, "key-1")).toBe("done");
  expect(await scratch.committed()).toEqual(["a"]);
});

it("keeps answers for 24 hours and no longer [CORE-12]", async () => {
  using scratch = scratchDispatch();
  const first = await create(scratch, { title: "a" }, "key-1");
  scratch.clock.advance(dayMs - 1);
  expect(await create(scratch, { title: "a" }, "key-1")).toEqual(first);
  scratch.clock.advance(1);
  const second = await create(scratch, { title: "a" }, "key-1");
  expect(second).not.toEqual(first);
  expect(scratch.runs).toEqual(["a", "a"]);
  scratch.clock.advance(dayMs - 1);
  expect(await create(scratch, { title: "a" }, "key-1")).toEqual(second);
});

it("lets a key be used for another body once its answer is 24 hours old", async () => {
  using scratch = scratchDispatch();
  await create(scratch, { title: "a" }, "key-1");
  scratch.clock.advance(dayMs);
  await create(scratch, { title: "b" }, "key-1");
  expect(await failureOf(create(scratch, { title: "a" }, "key-1"))).toMatchObject({ code: "idempotency.mismatch" });
  expect(await scratch.committed()).toEqual(["a", "b"]);
});

it("takes a body written in another order of keys for the same body [CORE-12]", async () => {
  using scratch = scratchDispatch();
  const first = await create(scratch, { title: "a", priority: 1, type: "bug" }, "key-1");
  expect(await create(scratch, { type: "bug", title: "a", priority: 1 }, "key-1")).toEqual(first);
  expect(scratch.runs).toEqual(["a"]);
});

it("does the work once for any number of calls at the same time [CORE-12]", async () => {
  using scratch = scratchDispatch();
  const answers = await Promise.all(Array.from({ length: 20 }, () => create(scratch, { title: "a" }, "key-1")));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(await scratch.committed()).toEqual(["a"]);
});

it("lets one body win and refuses the others when different ones come with one key at the same time", async () => {
  using scratch = scratchDispatch();
  const outcomes = await Promise.allSettled(["a", "b", "c"].map((title) => create(scratch, { title }, "key-1")));
  expect(outcomes).toMatchObject([
    { status: "fulfilled" },
    { status: "rejected", reason: { code: "idempotency.mismatch" } },
    { status: "rejected", reason: { code: "idempotency.mismatch" } },
  ]);
  expect(await scratch.committed()).toEqual(["a"]);
});

it("removes the answers that are older than it is told, and no others", async () => {
  using scratch = scratchDispatch();
  await create(scratch, { title: "a" }, "key-1");
  scratch.clock.advance(1);
  await create(scratch, { title: "b" }, "key-2");
  const kept = (key: string) =>
    scratch.store.reader.idempotency.find({ caller: heron.agent.id, operation: "work-item.create", key });
  expect(await kept("key-1")).toMatchObject({ answer: JSON.stringify({ value: { answer: 1 } }) });
  const removed = await scratch.store.transact("retention", (tx) => tx.idempotency.removeBefore(scratch.clock.now()));
  expect([removed, await kept("key-1"), (await kept("key-2")) !== undefined]).toEqual([1, undefined, true]);
});

it("keeps what is answered before or without a transaction too: a refusal, an answer, and the mismatch [CORE-12]", async () => {
  using scratch = scratchDispatch();
  scratch.before(async () => Promise.reject(refusal()));
  const first = await failureOf(create(scratch, { title: "a" }, "key-1"));
  scratch.before(undefined);
  const second = await failureOf(create(scratch, { title: "a" }, "key-1"));
  expect([first.code, second.code, second.message]).toEqual([refusal().code, refusal().code, refusal().message]);
  expect((await failureOf(create(scratch, { title: "b" }, "key-1"))).code).toBe("idempotency.mismatch");
  expect([scratch.runs, await scratch.committed()]).toEqual([[], []]);

  scratch.before(async () => ({ answered: "without the store" }));
  expect(await create(scratch, { title: "c" }, "key-2")).toEqual({ answered: "without the store" });
  scratch.before(undefined);
  expect(await create(scratch, { title: "c" }, "key-2")).toEqual({ answered: "without the store" });
  expect(scratch.runs).toEqual([]);
});

it("does what needs no store although the answer cannot be kept [CORE-12]", async () => {
  using scratch = scratchDispatch();
  await scratch.store.transact("room", async (tx) => tx.titles.takeRoom());
  scratch.before(async () => ({ answered: "x".repeat(100_000) }));
  expect(await create(scratch, { title: "a" }, "key-1")).toEqual({ answered: "x".repeat(100_000) });
});
