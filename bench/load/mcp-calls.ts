/**
 * Load generator: one MCP client, one tool call after the other; the latency of each.
 *
 *   raw      JSON-RPC by POST over one keep-alive connection, stateless as the endpoint is
 *   library  the official client, connected once
 */
import { Agent, request } from "node:http";

type ToolCall = { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };
type Plan = {
  readonly port: number;
  readonly token: string;
  readonly by: "raw" | "library" | "healthz";
  readonly warmUp: number;
  readonly calls: readonly ToolCall[];
};

export async function mcpCalls({ port, token, by, warmUp, calls }: Plan): Promise<readonly number[]> {
  await using caller = await callers[by](port, token);
  const latencies: number[] = [];
  for (const call of calls) {
    const startedAt = performance.now();
    await caller.call(call);
    latencies.push(performance.now() - startedAt);
  }
  return latencies.slice(warmUp);
}

type Caller = AsyncDisposable & { call(tool: ToolCall): Promise<void> };

const callers: Readonly<Record<Plan["by"], (port: number, token: string) => Promise<Caller>>> = {
  raw: async (port, token) => rawCaller(port, token),
  library: libraryCaller,
  healthz: async (port) => healthzCaller(port),
};

function rawCaller(port: number, token: string): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = {
    authorization: `Bearer ${token}`,
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    "mcp-protocol-version": "2025-11-25",
  };
  let id = 0;
  return {
    async call(params) {
      const body = JSON.stringify({ jsonrpc: "2.0", id: ++id, method: "tools/call", params });
      const text = await exchange({ port, agent, path: "/mcp", method: "POST", headers, body });
      if (!text.includes('"structuredContent"') || text.includes('"isError"'))
        throw new Error(`${params.name} was answered with ${text}`);
    },
    [Symbol.asyncDispose]: async () => agent.destroy(),
  };
}

async function libraryCaller(port: number, token: string): Promise<Caller> {
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const client = new Client({ name: "sylk-bench", version: "1" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  return {
    async call(tool) {
      const result = await client.callTool({ name: tool.name, arguments: { ...tool.arguments } });
      if (result.isError === true) throw new Error(`${tool.name} was refused: ${JSON.stringify(result)}`);
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

function healthzCaller(port: number): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    call: async () => void (await exchange({ port, agent, path: "/healthz", method: "GET", headers: {}, body: "" })),
    [Symbol.asyncDispose]: async () => agent.destroy(),
  };
}

type Exchange = {
  readonly port: number;
  readonly agent: Agent;
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export function exchange({ port, agent, path, method, headers, body }: Exchange): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, agent, path, method, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.on("end", () => {
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${method} ${path} was answered with ${response.statusCode}: ${text}`));
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
