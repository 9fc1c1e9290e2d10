import { spawn } from "node:child_process";
import { once } from "node:events";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, it, onTestFinished } from "vitest";
import { toErrorBody } from "../../contract/index.ts";
import { conflict, daemonStatus, readyItems, takenPath } from "./testkit.ts";

/** `sylk mcp` with the scripted daemon in place of the client's socket; the pinned node runs the sources as they are. */
const script = `
  const { serveMcpStdio } = await import(${JSON.stringify(new URL("./index.ts", import.meta.url))});
  const { fakeDaemon, heron } = await import(${JSON.stringify(new URL("./testkit.ts", import.meta.url))});
  const { dispatch } = fakeDaemon();
  await serveMcpStdio({ callSessionFields: [], call: (name, input, options) => dispatch(name, input, heron, options) });
  process.stderr.write("ended");
`;
const command = { command: process.execPath, args: ["--input-type=module", "-e", script] };

it.each([undefined, { versionNegotiation: { mode: { pin: "2026-07-28" } } } as const])(
  "serves a client that starts a process (%j)",
  async (options) => {
    const client = new Client({ name: "test", version: "1" }, options);
    onTestFinished(() => client.close());
    await client.connect(new StdioClientTransport({ ...command, stderr: "ignore" }));
    expect((await client.listTools()).tools.length).toBeLessThanOrEqual(12);
    expect((await client.callTool({ name: "work_item_ready" })).structuredContent).toEqual(readyItems);
    const refused = await client.callTool({ name: "reservation_acquire", arguments: { paths: [takenPath] } });
    expect(refused).toMatchObject({ isError: true, structuredContent: toErrorBody(conflict) });
    const called = await client.callTool({ name: "sylk_more", arguments: { call: "daemon_status" } });
    expect(called.structuredContent).toEqual(daemonStatus);
    const foreign = await client.callTool({ name: "work_item_ready", _meta: { "sylk/agent": "otter" } });
    expect(foreign.structuredContent).toMatchObject({ error: { code: "caller.denied" } });
  },
);

it("ends with its input and writes nothing but the protocol to standard output", async () => {
  const child = spawn(command.command, command.args, { stdio: "pipe" });
  onTestFinished(() => void child.kill());
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const initialize = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  child.stdin.write(
    `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: initialize })}\nnot the protocol\n`,
  );
  await once(child.stdout, "data");
  child.stdin.end();
  const [code] = (await once(child, "close")) as [number | null];
  expect(code).toBe(0);
  expect(errors).toBe("ended");
  const lines = output.trim().split("\n");
  const messages = lines.map((line) => JSON.parse(line) as { jsonrpc: string; id: number | null; error?: object });
  expect(messages.toSorted((a, b) => Number(a.id) - Number(b.id))).toMatchObject([
    { jsonrpc: "2.0", id: null, error: { code: -32700 } },
    { jsonrpc: "2.0", id: 1, result: { protocolVersion: "2025-11-25" } },
  ]);
});
