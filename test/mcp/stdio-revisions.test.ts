/** `sylk mcp` in every revision we accept, line by line; whatever is sent, nobody is left without an answer. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openScratchDaemon, type ScratchAgent, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import * as speak from "./speak.ts";

let daemon: ScratchDaemon;
let heron: ScratchAgent;
beforeAll(async () => {
  daemon = await openScratchDaemon();
  heron = await daemon.register("heron");
});
afterAll(() => daemon[Symbol.asyncDispose]());

describe.each(speak.olderRevisions)("%s", (revision) => {
  it("is agreed on, works, answers mistakes, and ends with its input", async () => {
    await using client = speak.startStdio(daemon, heron.token);
    client.send(speak.initialize(revision));
    expect((await client.answerTo(1)).result).toMatchObject({
      protocolVersion: revision,
      serverInfo: { name: "sylk" },
    });
    client.send({ jsonrpc: "2.0", method: "notifications/initialized" });

    const title = `Größe 🙂 ${revision}`;
    client.send(speak.request("ping", undefined, 2));
    client.send(speak.request("tools/list", undefined, 3));
    client.send(speak.request("tools/call", { name: "work_item_create", arguments: { title } }, "vier"));
    expect((await client.answerTo(2)).result).toEqual({});
    expect((await client.answerTo(3)).result).toHaveProperty("tools");
    expect((await client.answerTo("vier")).result).toMatchObject({ structuredContent: { workItem: { title } } });

    const mistakes: readonly [string, object | undefined, number][] = [
      ["no/such", {}, -32601],
      ["tools/call", {}, -32602],
      ["tools/call", { name: "no_such_tool" }, -32602],
      ["tools/list", { cursor: "of another server" }, -32602],
    ];
    for (const [index, [method, params, code]] of mistakes.entries()) {
      client.send(speak.request(method, params, 10 + index));
      expect((await client.answerTo(10 + index)).error, method).toMatchObject({ code });
    }
    client.send("{nope");
    expect((await client.answerTo(null)).error).toMatchObject({ code: -32700 });
    expect(await client.end()).toBe(0);
  });

  it(`${speak.revisionsWithBatches.includes(revision) ? "answers" : "refuses"} a batch`, async () => {
    await using client = speak.startStdio(daemon, heron.token);
    client.send(speak.initialize(revision));
    await client.answerTo(1);
    client.send([speak.request("ping", undefined, 2), speak.request("ping", undefined, 3)]);
    if (speak.revisionsWithBatches.includes(revision)) {
      expect([await client.answerTo(2), await client.answerTo(3)]).toMatchObject([{ result: {} }, { result: {} }]);
    } else expect((await client.answerTo(null)).error).toMatchObject({ code: -32600 });
    expect(client.received).toHaveLength(speak.revisionsWithBatches.includes(revision) ? 3 : 2);
  });
});

it("answers what was asked before the client closed its end", async () => {
  const client = speak.startStdio(daemon, heron.token);
  client.send(speak.request("tools/call", { name: "work_item_create", arguments: { title: "last words" } }, 1));
  client.send(speak.request("tools/call", { name: "work_item_ready", arguments: {} }, 2));
  expect(await client.end()).toBe(0);
  const answered = client.received.filter(({ result }) => result !== undefined).map(({ id }) => id);
  expect(new Set(answered)).toEqual(new Set([1, 2]));
});

it("does not answer a call that was cancelled in time, and continues", async () => {
  await using client = speak.startStdio(daemon, heron.token);
  client.send(speak.initialize("2025-11-25"));
  await client.answerTo(1);
  const call = speak.request("tools/call", { name: "work_item_ready", arguments: {} }, 2);
  const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } };
  client.send(`${JSON.stringify(call)}\n${JSON.stringify(cancelled)}`);
  client.send(speak.request("tools/call", { name: "work_item_ready", arguments: {} }, 3));
  expect((await client.answerTo(3)).result).toHaveProperty("structuredContent");
  expect(client.received.map(({ id }) => id)).toEqual([1, 3]);
});

it(`speaks ${speak.newestRevision} without a beginning, and names it to one that wants another`, async () => {
  await using client = speak.startStdio(daemon, heron.token);
  client.send(speak.request("server/discover", speak.withEnvelope(), 1));
  expect((await client.answerTo(1)).result).toMatchObject({ supportedVersions: [speak.newestRevision] });
  client.send(speak.request("tools/call", speak.withEnvelope({ name: "discover_agents", arguments: {} }), 2));
  expect((await client.answerTo(2)).result).toMatchObject({ structuredContent: { items: [{ name: "heron" }] } });
  client.send(speak.request("no/such", speak.withEnvelope(), 3));
  expect((await client.answerTo(3)).error).toMatchObject({ code: -32601 });

  await using other = speak.startStdio(daemon, heron.token);
  other.send(speak.request("tools/list", speak.withEnvelope({}, "2099-01-01"), 1));
  expect((await other.answerTo(1)).error).toMatchObject({ code: -32022, data: { supported: [speak.newestRevision] } });
});

it.each(["1999-01-01", "2099-01-01"])("offers the newest it can to a client that offers %s", async (offered) => {
  await using client = speak.startStdio(daemon, heron.token);
  client.send(speak.initialize(offered));
  expect((await client.answerTo(1)).result).toMatchObject({ protocolVersion: "2025-11-25" });
});
