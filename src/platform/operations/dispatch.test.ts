import { expect, it } from "vitest";
import { allOperations, DomainError } from "../../contract/index.ts";
import { heron, knownKey, planted, refusal, scratchDispatch, user } from "./testkit.ts";

it("refuses input by the name of the field before anything runs [CORE-6]", async () => {
  using scratch = scratchDispatch();
  const call = scratch.dispatch("work-item.create", { title: "a", prio: 1 }, heron);
  await expect(call).rejects.toMatchObject({
    code: "input.invalid",
    message: expect.stringContaining("prio"),
    details: { problems: [{ path: "prio", message: expect.any(String) }] },
  });
  expect(scratch.runs).toEqual([]);
});

it("hands the handler its input with the defaults filled in", async () => {
  using scratch = scratchDispatch();
  await scratch.dispatch("work-item.create", { title: "  trimmed  " }, heron);
  expect(scratch.runs).toEqual(["trimmed"]);
});

it("takes secrets out of what a change is given, but not out of fields that mean themselves", async () => {
  using scratch = scratchDispatch();
  const given = { title: `use ${knownKey}`, body: "password=hunter2" };
  await scratch.dispatch("work-item.create", given, heron, { idempotencyKey: "key-1" });
  expect(scratch.runs).toEqual(["use [redacted]"]);
  expect(await scratch.committed()).toEqual(["use [redacted]"]);
  const verbatim = allOperations().flatMap(({ name, verbatim: fields = [] }) =>
    fields.map((field) => `${name} ${field}`),
  );
  expect(verbatim).toEqual(expect.arrayContaining(["reservation.acquire paths", "provider.add key"]));
});

it("keeps a refusal for its retries without the secret that it quotes", async () => {
  using scratch = scratchDispatch();
  scratch.script(() => Promise.reject(new DomainError("run.not-possible", `git said ${knownKey}`)));
  const create = () => scratch.dispatch("work-item.create", { title: "a" }, heron, { idempotencyKey: "key-1" });
  await expect(create()).rejects.toThrow(knownKey);
  await expect(create()).rejects.toThrow("git said [redacted]");
});

it.each(allOperations().filter(({ actor }) => actor !== "anyone"))(
  "lets only its actor call $name ($actor) [CORE-20]",
  async ({ name, actor, example }) => {
    using scratch = scratchDispatch();
    const call = scratch.dispatch(name, example, actor === "agent" ? user : heron);
    await expect(call).rejects.toMatchObject({ code: "caller.denied", details: { needed: actor } });
    expect(scratch.runs).toEqual([]);
  },
);

it("passes a refusal on as it is, with its cause, and logs nothing [CORE-8]", async () => {
  using scratch = scratchDispatch();
  const thrown = refusal();
  scratch.script(async () => Promise.reject(thrown));
  await expect(scratch.dispatch("work-item.create", { title: "a" }, heron)).rejects.toBe(thrown);
  expect(scratch.logged()).toEqual([]);
});

it("answers a defect with the reference of the one log line that has it, and keeps its cause [CORE-8]", async () => {
  using scratch = scratchDispatch();
  const error = await scratch.dispatch("daemon.status", {}, user).catch((error: unknown) => error as DomainError);
  expect(error).toMatchObject({ code: "internal", details: { operation: "daemon.status" }, cause: planted });
  const lines = scratch.logged();
  expect(lines).toMatchObject([{ level: "error", event: "operation.defect", operation: "daemon.status" }]);
  const reference = String(lines[0]?.ref);
  expect(error).toMatchObject({ message: expect.stringContaining(reference), details: { reference } });
});

it("logs a handler whose transaction awaited something else, as a defect [CORE-10]", async () => {
  using scratch = scratchDispatch();
  scratch.script(() => new Promise((resolve) => setImmediate(resolve)));
  const call = scratch.dispatch("work-item.create", { title: "a" }, heron, { idempotencyKey: "key-1" });
  await expect(call).rejects.toMatchObject({ code: "internal", details: { reference: expect.any(String) } });
  expect(scratch.logged()).toMatchObject([{ event: "operation.defect" }]);
  expect(await scratch.committed()).toEqual([]);
  scratch.script(async () => "done");
  expect(await scratch.dispatch("work-item.create", { title: "a" }, heron, { idempotencyKey: "key-1" })).toBe("done");
});
