/** One MCP server: a fixed tool list and calls. It keeps nothing between calls, so one may live for a single request. */
import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import { version } from "../../platform/version.ts";
import { callTool, type ToolPorts } from "./call-tool.ts";
import { toolList, toolListWithHandles } from "./tool-list.ts";

const instructions =
  "Several agents share this repository: reserve paths with reservation_acquire before editing them, and claim an item with work_item_claim before working on it. " +
  "On a conflict leave the paths or the item alone; the error names the holder and how long to wait, so wait, ask for a shared or smaller reservation, or take other work from work_item_ready. " +
  "Release or close what you no longer need; sylk_more finds every other operation.";

/** A client that can set neither headers nor `_meta` says in each call who it is. */
const handleInstructions =
  " First call agent_register (through sylk_more, input: sessionKey, client), then give the handle that it answers as the argument as of every call.";

/** The list changes with the version only. */
const listTtlMs = 300_000;

// The low-level server takes the list as it is: 2,400-3,000 calls/s were measured, against 1,900-2,000 with McpServer.
// oxlint-disable typescript/no-deprecated
export function buildMcpServer(ports: ToolPorts, { byHandle = false }: { readonly byHandle?: boolean } = {}): Server {
  const server = new Server(
    { name: "sylk", version },
    {
      capabilities: { tools: {} },
      instructions: byHandle ? instructions + handleInstructions : instructions,
      cacheHints: { "tools/list": { ttlMs: listTtlMs, cacheScope: "public" } },
    },
  );
  server.setRequestHandler("tools/list", ({ params }) => {
    // The list is one page, so no cursor is ours; the whole list again would look like a next page.
    if (params?.cursor !== undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Unknown cursor; list the tools without one");
    return { tools: [...(byHandle ? toolListWithHandles : toolList)] };
  });
  server.setRequestHandler("tools/call", ({ params }) => callTool(params, ports));
  return server;
}
// oxlint-enable typescript/no-deprecated
