import { expect, it } from "vitest";
import { operations, toErrorBody } from "../../contract/index.ts";
import { callTool, type RunOperation } from "./call-tool.ts";
import { conflict, daemonStatus, fakeDaemon, heron, readyItems, takenPath } from "./testkit.ts";
import { toolSchema } from "./tool-schema.ts";

type Params = Parameters<typeof callTool>[0];

function surface() {
  const { dispatch, onDefect, ...seen } = fakeDaemon();
  const run: RunOperation = (name, input, { idempotencyKey }) => dispatch(name, input, heron, { idempotencyKey });
  return { ...seen, call: (params: Params) => callTool(params, { run, onDefect, callSessionFields: [] }) };
}

it("answers with the same facts as structure and as text", async () => {
  const result = await surface().call({ name: "work_item_ready" });
  expect(result.structuredContent).toEqual(readyItems);
  expect(result.content).toEqual([{ type: "text", text: JSON.stringify(readyItems) }]);
  expect(result.isError).toBeUndefined();
});

it("refuses with the body that HTTP sends", async () => {
  const result = await surface().call({ name: "reservation_acquire", arguments: { paths: [takenPath] } });
  expect(result.isError).toBe(true);
  expect(result.structuredContent).toEqual(toErrorBody(conflict));
  expect(result.content).toEqual([{ type: "text", text: JSON.stringify(toErrorBody(conflict)) }]);
});

it("refuses an unknown argument by its name", async () => {
  const result = await surface().call({ name: "work_item_ready", arguments: { limt: 3 } });
  expect(result).toMatchObject({
    isError: true,
    structuredContent: { error: { code: "input.invalid", details: { problems: [{ path: "limt" }] } } },
  });
});

it("answers an unknown tool with an error of the protocol that names near ones", async () => {
  await expect(surface().call({ name: "claim_work" })).rejects.toMatchObject({
    code: -32602,
    data: { error: { code: "operation.unknown", details: { near: expect.arrayContaining(["work_item_claim"]) } } },
  });
});

it("hands the idempotency key of a change on, and leaves it out of a read", async () => {
  const { call, calls } = surface();
  const _meta = { "sylk/idempotencyKey": "k-1", "other/party": true };
  await call({ name: "reservation_acquire", arguments: { paths: ["a"] }, _meta });
  await call({ name: "work_item_ready", _meta });
  expect(calls.map(({ idempotencyKey }) => idempotencyKey)).toEqual(["k-1", undefined]);
});

it.each([
  [{ "sylk/idempotency-key": "k-1" }, "_meta.sylk/idempotency-key"],
  [{ "sylk/idempotencyKey": "white space" }, "_meta.sylk/idempotencyKey"],
  [{ "sylk/agent": 7 }, "_meta.sylk/agent"],
])("refuses %j in _meta before anything runs", async (_meta, path) => {
  const { call, calls } = surface();
  expect(await call({ name: "work_item_ready", _meta })).toMatchObject({
    isError: true,
    structuredContent: { error: { code: "input.invalid", details: { problems: [{ path }] } } },
  });
  expect(calls).toEqual([]);
});

it("passes on a defect that dispatch has recorded, and records one that it has not", async () => {
  const { call, defects } = surface();
  const inHandler = await call({ name: "discover_agents" });
  expect(inHandler).toMatchObject({ isError: true, structuredContent: { error: { code: "internal" } } });
  expect(defects).toHaveLength(1);

  const outside = new RangeError("outside of dispatch");
  const recorded: unknown[] = [];
  const result = await callTool(
    { name: "work_item_ready" },
    {
      run: () => Promise.reject(outside),
      onDefect: (error) => `ref-${recorded.push(error)}`,
      callSessionFields: [],
    },
  );
  expect(recorded).toEqual([outside]);
  expect(result).toMatchObject({
    isError: true,
    structuredContent: { error: { code: "internal", details: { reference: "ref-1" } } },
  });
});

it("finds the operations that are not listed, with their input", async () => {
  const result = await surface().call({ name: "sylk_more", arguments: { query: "status of the daemon" } });
  const { operations: found } = result.structuredContent as { operations: { name: string }[] };
  const { summary } = operations["daemon.status"];
  expect(found[0]).toEqual({ name: "daemon_status", summary, input: toolSchema(operations["daemon.status"]) });
  expect(found.map(({ name }) => name)).not.toContain("work_item_ready");
});

it("lists all of them briefly for an empty query, and says when nothing matches", async () => {
  const { call } = surface();
  const all = await call({ name: "sylk_more" });
  const { operations: rest } = all.structuredContent as { operations: object[] };
  expect(rest).toContainEqual({ name: "agent_register", summary: operations["agent.register"].summary });
  expect((await call({ name: "sylk_more", arguments: { query: " " } })).structuredContent).toEqual({
    operations: rest,
  });
  expect((await call({ name: "sylk_more", arguments: { query: "zebra" } })).structuredContent).toMatchObject({
    operations: [],
    hint: expect.stringContaining("zebra"),
  });
});

it.each(["daemon_status", "daemon.status"])("runs %s through sylk_more as its own tool would", async (name) => {
  const result = await surface().call({ name: "sylk_more", arguments: { call: name } });
  expect(result.structuredContent).toEqual(daemonStatus);
});

it("carries input, key and refusals of an operation run through sylk_more", async () => {
  const { call, calls } = surface();
  const refused = await call({
    name: "sylk_more",
    arguments: { call: "reservation_acquire", input: { paths: [takenPath] } },
    _meta: { "sylk/idempotencyKey": "k-2" },
  });
  expect(refused.structuredContent).toEqual(toErrorBody(conflict));
  expect(calls).toMatchObject([{ name: "reservation.acquire", input: { paths: [takenPath] }, idempotencyKey: "k-2" }]);
});

it.each([
  [{ call: "claim_work" }, "operation.unknown", "claim_work"],
  [{ call: "daemon_stop" }, "caller.denied", "user's token"],
  [{ call: "daemon_status", query: "status" }, "input.invalid", "query"],
  [{ input: {} }, "input.invalid", "call"],
  [{ find: "x" }, "input.invalid", "find"],
  [{ query: 7 }, "input.invalid", "query"],
])("refuses sylk_more %j with %s", async (input, code, said) => {
  expect(await surface().call({ name: "sylk_more", arguments: input })).toMatchObject({
    isError: true,
    structuredContent: { error: { code, message: expect.stringContaining(said) } },
  });
});
