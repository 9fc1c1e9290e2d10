import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { toErrorBody } from "../../contract/index.ts";
import { version } from "../../platform/version.ts";
import { createMcpEndpoint } from "./http-endpoint.ts";
import { conflict, daemonStatus, fakeDaemon, heron, otter, readyItems, takenPath } from "./testkit.ts";
import { toolList } from "./tool-list.ts";

type Connected = Pick<Client, "listTools" | "callTool" | "getServerVersion" | "getInstructions">;
type Connect = (url: URL, token: string) => Promise<Connected>;

const info = { name: "test", version: "1" };
const asBearer = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } });

function connectWith(options?: ConstructorParameters<typeof Client>[1]): Connect {
  return async (url, token) => {
    const client = new Client(info, options);
    onTestFinished(() => client.close());
    await client.connect(new StreamableHTTPClientTransport(url, asBearer(token)));
    return client;
  };
}

const connectOld: Connect = async (url, token) => {
  const client = new OldClient(info);
  onTestFinished(() => client.close());
  await client.connect(new OldTransport(url, asBearer(token)));
  return client as Connected;
};

/** The endpoint as the HTTP surface mounts it: the body is parsed, the credentials are read. */
async function served() {
  const daemon = fakeDaemon();
  const endpoint = createMcpEndpoint(daemon);
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString();
      const token = request.headers.authorization?.replace("Bearer ", "");
      await endpoint(request, response, text === "" ? undefined : JSON.parse(text), { token });
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { ...daemon, url: new URL(`http://127.0.0.1:${port}/mcp`) };
}

describe.each<[string, Connect]>([
  ["client 2.4 as it comes", connectWith()],
  ["client 2.4 pinned to 2026-07-28", connectWith({ versionNegotiation: { mode: { pin: "2026-07-28" } } })],
  ["sdk 1.32", connectOld],
])("%s", (_name, connect) => {
  it("connects, learns who answers and lists the tools", async () => {
    const { url } = await served();
    const client = await connect(url, "heron-token");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(toolList.map(({ name }) => name));
    expect(client.getServerVersion()).toMatchObject({ name: "sylk", version });
    expect(client.getInstructions()).toContain("reservation_acquire");
  });

  it("calls as the token's agent and gets what dispatch gave", async () => {
    const { url, calls } = await served();
    const client = await connect(url, "heron-token");
    const result = await client.callTool({ name: "work_item_ready", arguments: { limit: 3 } });
    expect(result.structuredContent).toEqual(readyItems);
    expect(result.content).toEqual([{ type: "text", text: JSON.stringify(readyItems) }]);
    expect(calls).toEqual([{ name: "work-item.ready", input: { limit: 3 }, caller: heron, idempotencyKey: undefined }]);
  });

  it("gets refusals as HTTP's body, for conflicts and for unknown fields", async () => {
    const { url } = await served();
    const client = await connect(url, "heron-token");
    const refused = await client.callTool({ name: "reservation_acquire", arguments: { paths: [takenPath] } });
    expect(refused).toMatchObject({ isError: true, structuredContent: toErrorBody(conflict) });
    const misspelt = await client.callTool({ name: "reservation_acquire", arguments: { pathz: ["a"] } });
    expect(misspelt).toMatchObject({
      isError: true,
      structuredContent: { error: { code: "input.invalid", message: expect.stringContaining("pathz") } },
    });
  });

  it("finds an operation and calls it", async () => {
    const { url } = await served();
    const client = await connect(url, "heron-token");
    const found = await client.callTool({ name: "sylk_more", arguments: { query: "daemon status" } });
    expect(found.structuredContent).toHaveProperty("operations.0.name", "daemon_status");
    const called = await client.callTool({ name: "sylk_more", arguments: { call: "daemon_status", input: {} } });
    expect(called.structuredContent).toEqual(daemonStatus);
  });

  it("takes key and identity from each call's _meta, and forgets them", async () => {
    const { url, calls } = await served();
    const client = await connect(url, "user-token");
    const _meta = { "sylk/idempotencyKey": "k-1", "sylk/agent": "otter" };
    await client.callTool({ name: "reservation_acquire", arguments: { paths: ["a"] }, _meta });
    await client.callTool({ name: "work_item_ready" });
    expect(calls).toMatchObject([{ caller: otter, idempotencyKey: "k-1" }, { caller: { kind: "user" } }]);
  });

  it("is told of an unknown tool in the protocol's way", async () => {
    const { url, defects } = await served();
    const client = await connect(url, "heron-token");
    await expect(client.callTool({ name: "claim_work" })).rejects.toMatchObject({
      code: -32602,
      data: { error: { code: "operation.unknown", details: { near: expect.arrayContaining(["work_item_claim"]) } } },
    });
    expect(defects).toEqual([]);
  });

  it("hears in the call why a valid token's agent cannot act", async () => {
    const { url } = await served();
    const client = await connect(url, "ended-token");
    expect(await client.callTool({ name: "work_item_ready" })).toMatchObject({
      isError: true,
      structuredContent: { error: { code: "agent.ended" } },
    });
  });

  it("cannot connect without a valid token", async () => {
    const { url } = await served();
    await expect(connect(url, "stolen-token")).rejects.toThrow(/401|token\.unknown|Unauthorized/);
  });
});

const ping = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const post = (url: URL, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: JSON.stringify(body),
  });

it.each([
  ["token.missing", {}],
  ["token.unknown", { authorization: "Bearer stolen-token" }],
])("answers 401 %s with our error body before the protocol is looked at", async (code, headers) => {
  const { url, calls } = await served();
  const response = await post(url, { not: "the protocol" }, headers);
  expect(response.status).toBe(401);
  expect(response.headers.get("www-authenticate")).toBe("Bearer");
  expect(await response.json()).toMatchObject({ error: { code } });
  expect(calls).toEqual([]);
});

it("answers 500 with a reference when authentication itself is broken", async () => {
  const { url, defects } = await served();
  const response = await post(url, ping, { authorization: "Bearer broken-token" });
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({ error: { code: "internal", details: { reference: "ref-1" } } });
  expect(defects).toEqual([new TypeError("a defect in authentication")]);
});

it("answers a client's mistakes by itself and calls none of them a defect", async () => {
  const { url, defects } = await served();
  const headers = { authorization: "Bearer heron-token" };
  const answers = [
    await post(url, ping, { ...headers, "mcp-protocol-version": "2026-07-28" }),
    await post(url, ping, { ...headers, "content-type": "text/plain" }),
    await fetch(url, { headers }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([400, 415, 405]);
  expect(defects).toEqual([]);
});
