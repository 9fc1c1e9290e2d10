/** /mcp in every revision we accept: what is agreed, which headers count, what is answered to what is wrong. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openScratchDaemon, type ScratchAgent, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { send } from "../flows/wire.ts";
import * as speak from "./speak.ts";

let daemon: ScratchDaemon;
let heron: ScratchAgent;
beforeAll(async () => {
  daemon = await openScratchDaemon();
  heron = await daemon.register("heron");
});
afterAll(() => daemon[Symbol.asyncDispose]());

const post = (body: unknown, headers?: Readonly<Record<string, string>>) =>
  speak.post(daemon, heron.token, body, headers);
const newest: (...terms: Tail<Parameters<typeof speak.postNewest>>) => Promise<speak.HttpAnswer> = (...terms) =>
  speak.postNewest(daemon, heron.token, ...terms);
type Tail<Terms extends readonly unknown[]> = Terms extends [unknown, unknown, ...infer Rest] ? Rest : never;

describe.each(speak.olderRevisions)("%s", (revision) => {
  const inRevision = { "mcp-protocol-version": revision };

  it("is agreed on when it is offered, without a session", async () => {
    const { status, messages, headers } = await post(speak.initialize(revision));
    expect(status).toBe(200);
    expect(messages).toMatchObject([
      { id: 1, result: { protocolVersion: revision, capabilities: { tools: {} }, serverInfo: { name: "sylk" } } },
    ]);
    expect(headers["mcp-session-id"]).toBeUndefined();
  });

  it("answers ping, takes notifications and answers with 202", async () => {
    expect((await post(speak.request("ping"), inRevision)).messages).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
    for (const method of ["notifications/initialized", "notifications/cancelled"]) {
      const params = method.endsWith("cancelled") ? { requestId: 77, reason: "no longer needed" } : undefined;
      const { status, body } = await post({ jsonrpc: "2.0", method, ...(params && { params }) }, inRevision);
      expect({ method, status, body }).toEqual({ method, status: 202, body: "" });
    }
    expect((await post({ jsonrpc: "2.0", id: 5, result: {} }, inRevision)).status).toBe(202);
  });

  it(`${speak.revisionsWithBatches.includes(revision) ? "answers" : "refuses"} a batch`, async () => {
    const batch = [speak.request("ping", undefined, 1), speak.request("ping", undefined, 2)];
    const { status, messages } = await post(batch, inRevision);
    if (!speak.revisionsWithBatches.includes(revision)) {
      expect(status).toBe(400);
      expect(messages).toMatchObject([{ id: null, error: { code: -32600 } }]);
      return;
    }
    expect(messages.map(({ id, result }) => ({ id, result }))).toEqual([
      { id: 1, result: {} },
      { id: 2, result: {} },
    ]);
    expect((await post([], inRevision)).messages).toMatchObject([{ id: null, error: { code: -32600 } }]);
  });

  it("answers mistakes with the code that says whose they are", async () => {
    const mistakes: readonly [unknown, number, number, unknown][] = [
      ["{nope", 400, -32700, null],
      [{ hello: 1 }, 400, -32600, null],
      [{ ...speak.request("ping", undefined, 8), jsonrpc: "1.0" }, 400, -32600, 8],
      [{ jsonrpc: "2.0", id: null, method: "ping" }, 400, -32600, null],
      [speak.request("initialize"), 400, -32602, 1],
      [speak.request("no/such", {}), 200, -32601, 1],
      [speak.request("tools/call", {}), 200, -32602, 1],
      [speak.request("tools/call", { name: "work_item_ready", arguments: [1] }), 200, -32602, 1],
      [speak.request("tools/call", { name: "no_such_tool" }), 200, -32602, 1],
      [speak.request("tools/list", { cursor: "of another server" }), 200, -32602, 1],
    ];
    for (const [body, status, code, id] of mistakes) {
      const answer = await post(body, inRevision);
      expect({ body, status: answer.status, messages: answer.messages }).toMatchObject({
        body,
        status,
        messages: [{ jsonrpc: "2.0", id, error: { code } }],
      });
    }
  });

  it("lists all tools on one page, with valid schemas", async () => {
    const { messages } = await post(speak.request("tools/list"), inRevision);
    const { tools, nextCursor } = messages[0]!.result as { tools: readonly Tool[]; nextCursor?: string };
    expect(nextCursor).toBeUndefined();
    expect(tools.length).toBeGreaterThan(5);
    for (const { name, description, inputSchema } of tools) {
      expect(name).toMatch(/^[a-z_]{1,64}$/);
      expect(description).not.toBe("");
      expect(inputSchema.type).toBe("object");
    }
  });

  it("calls a tool with text of any script, and says the same twice: as structure and as text", async () => {
    const title = `Größe 中文 🙂 ${revision}`;
    const call = speak.request("tools/call", { name: "work_item_create", arguments: { title } }, "größe-🙂");
    const { messages } = await post(call, inRevision);
    expect(messages).toMatchObject([{ id: "größe-🙂", result: { structuredContent: { workItem: { title } } } }]);
    const { structuredContent, content, isError } = messages[0]!.result as ToolResult;
    expect(content).toEqual([{ type: "text", text: JSON.stringify(structuredContent) }]);
    expect(isError ?? false).toBe(false);
  });

  it("tells a refusal inside the result, where the model reads it", async () => {
    const call = speak.request("tools/call", {
      name: "work_item_claim",
      arguments: { id: "wrk_00000000000000000000zz" },
    });
    const { messages } = await post(call, inRevision);
    expect(messages).toMatchObject([{ result: { isError: true, structuredContent: { error: {} } } }]);
    expect(messages[0]!.error).toBeUndefined();
  });
});

describe("whatever the revision", () => {
  it.each(["1999-01-01", "2099-01-01", speak.newestRevision])(
    "offers the newest one that has initialize to a client that offers %s",
    async (offered) => {
      const { messages } = await post(speak.initialize(offered));
      expect(messages).toMatchObject([{ result: { protocolVersion: "2025-11-25" } }]);
    },
  );

  it("refuses a header with a revision it does not know, naming those it does", async () => {
    const { status, messages } = await post(speak.request("ping"), { "mcp-protocol-version": "1999-01-01" });
    expect(status).toBe(400);
    expect(messages[0]!.error!.message).toContain("2025-11-25");
  });

  it.each(["application/json", "text/event-stream", "text/html"])(
    "refuses a client that takes only %s",
    async (accept) => {
      expect((await post(speak.request("ping"), { accept })).status).toBe(406);
    },
  );

  it("refuses a body of another type", async () => {
    expect((await post("ping", { "content-type": "text/plain" })).status).toBe(415);
  });

  it.each(["GET", "DELETE", "PUT"])("has no session and so no %s", async (method) => {
    const headers = { authorization: `Bearer ${heron.token}`, accept: "text/event-stream" };
    const { status } = await send({ host: "127.0.0.1", port: daemon.port }, { method, path: "/mcp", headers });
    expect(status).toBe(405);
  });

  it("does not depend on a session id that a client sends, nor on what came before", async () => {
    const { status, messages } = await post(speak.request("tools/list"), { "mcp-session-id": "of another life" });
    expect({ status, id: messages[0]!.id }).toEqual({ status: 200, id: 1 });
  });
});

describe("2026-07-28", () => {
  it("is discovered, and lists the same tools with how long they hold", async () => {
    const discovered = await newest("server/discover");
    expect(discovered.messages).toMatchObject([
      { result: { supportedVersions: [speak.newestRevision], capabilities: { tools: {} } } },
    ]);
    const [now] = (await newest("tools/list")).messages;
    const [before] = (await post(speak.request("tools/list"))).messages;
    expect(now!.result!["tools"]).toEqual(before!.result!["tools"]);
    expect(now!.result).toMatchObject({ ttlMs: expect.any(Number) as number, cacheScope: "public" });
  });

  it("calls a tool by request alone: no handshake, no state", async () => {
    const { status, messages } = await newest("tools/call", { name: "work_item_ready", arguments: {} });
    expect(status).toBe(200);
    expect(messages).toMatchObject([
      { result: { resultType: "complete", structuredContent: { items: expect.any(Array) as object[] } } },
    ]);
  });

  it("refuses headers that say something else than the body, missing terms and unknown methods", async () => {
    const call = { name: "work_item_ready", arguments: {} };
    const wrong: readonly [speak.HttpAnswer, number, number][] = [
      [await newest("tools/call", call, { "mcp-name": "work_item_claim" }), 400, -32020],
      [await newest("tools/list", {}, { "mcp-method": "tools/call" }), 400, -32020],
      [await post(speak.request("tools/list"), { "mcp-protocol-version": speak.newestRevision }), 400, -32602],
      [await newest("no/such"), 404, -32601],
      [await newest("initialize"), 404, -32601],
      [await post([speak.request("ping")], { "mcp-protocol-version": speak.newestRevision }), 400, -32600],
    ];
    for (const [{ status, messages }, expected, code] of wrong)
      expect({ status, code: messages[0]!.error!.code }).toEqual({ status: expected, code });
    const other = speak.request("tools/list", speak.withEnvelope({}, "2099-01-01"));
    const unknown = await post(other, { "mcp-protocol-version": "2099-01-01", "mcp-method": "tools/list" });
    expect(unknown.status).toBe(400);
    expect(unknown.messages[0]!.error).toMatchObject({ code: -32022, data: { supported: [speak.newestRevision] } });
  });
});

type Tool = { readonly name: string; readonly description: string; readonly inputSchema: { readonly type: string } };
type ToolResult = {
  readonly structuredContent: object;
  readonly content: readonly object[];
  readonly isError?: boolean;
};
