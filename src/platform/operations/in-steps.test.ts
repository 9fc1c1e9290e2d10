import { expect, it } from "vitest";
import { createLog } from "../log/index.ts";
import { type AgentCall, createDispatch, inSteps, type OperationHandlers } from "./index.ts";
import { dayMs, heron, type ScratchDispatch, scratchDispatch } from "./testkit.ts";

/** `work-item.create` in two transactions, with or without `inSteps`. */
function dispatchOf({ store, clock }: ScratchDispatch, stepwise: boolean) {
  type Call = AgentCall<typeof store extends { reader: infer Repositories } ? Repositories : never>;
  const create = async (_: unknown, call: Call) => {
    const { transact } = stepwise ? inSteps(call, store) : call;
    await transact("scope", (tx) => tx.titles.add("first"));
    await transact("scope", (tx) => tx.titles.add("second"));
    return "both are done";
  };
  const handlers: object = { "work-item.create": create };
  return createDispatch({
    handlers: handlers as OperationHandlers<Call extends AgentCall<infer R> ? R : never>,
    store,
    clock,
    log: createLog({ level: "error", clock, write: () => {} }),
    idempotencyKeepMs: dayMs,
    clean: (value) => value,
  });
}

it("keeps the whole answer of an operation in several transactions, and repeats none of them", async () => {
  using scratch = scratchDispatch();
  const dispatch = dispatchOf(scratch, true);
  const create = () => dispatch("work-item.create", { title: "a" }, heron, { idempotencyKey: "key-1" });
  expect(await create()).toBe("both are done");
  expect(await create()).toBe("both are done");
  expect(await scratch.committed()).toEqual(["first", "second"]);
});

it("is needed for that: without it the first transaction is taken for the answer of the second", async () => {
  using scratch = scratchDispatch();
  const dispatch = dispatchOf(scratch, false);
  await dispatch("work-item.create", { title: "a" }, heron, { idempotencyKey: "key-1" });
  expect(await scratch.committed()).toEqual(["first"]);
});
