/** Door of the MCP surface: the HTTP endpoint and the stdio server, over the same tools. */
export { asProtocolError, createMcpEndpoint } from "./http-endpoint.ts";
export type { McpEndpoint, McpPorts } from "./http-endpoint.ts";
export { serveMcpStdio } from "./stdio.ts";
export type { DaemonCall } from "./stdio.ts";
export { toolList } from "./tool-list.ts";
