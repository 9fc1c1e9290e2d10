/**
 * MCP over HTTP at two addresses: `/mcp` with a token in a header, and `/mcp/<key>?project=<folder>` for clients that can
 * set no header. The protocol's library is loaded by the first client that speaks it.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Credentials } from "../../contract/index.ts";
import type { McpPorts } from "../mcp/index.ts";
import { bounds, type ConnectionBounds } from "./connection-bounds.ts";
import { credentialsOf } from "./credentials.ts";

export function addMcpRoutes(app: FastifyInstance, ports: McpPorts, connections: ConnectionBounds): void {
  let endpoint: ReturnType<typeof loadMcpEndpoint> | undefined;
  const serve = async (request: FastifyRequest, reply: FastifyReply, credentials: Credentials): Promise<void> => {
    endpoint ??= loadMcpEndpoint(ports);
    const handle = await endpoint;
    reply.hijack();
    await handle(request.raw, reply.raw, request.body, credentials);
    const unread = reply.raw.socket?.writableLength ?? 0;
    if (unread >= bounds.largeAnswerBytes) connections.countUnread(reply.raw, unread);
  };
  const terms = { preSerialization: inWordsOfTheProtocol };
  app.all("/mcp", terms, (request, reply) => serve(request, reply, credentialsOf(request)));
  app.all("/mcp/:key", terms, (request, reply) => serve(request, reply, addressCredentials(request)));
}

/** The address decides alone: a header that came along changes nothing of who calls. */
function addressCredentials({ params, query }: FastifyRequest): Credentials {
  const { project } = query as { readonly project?: unknown };
  const projectPath = typeof project === "string" && project !== "" ? project : undefined;
  return { token: (params as { readonly key: string }).key, inAddress: true, projectPath };
}

/** Answers of the endpoint itself are not serialized here, only what was refused before it. */
async function inWordsOfTheProtocol(_request: FastifyRequest, _reply: FastifyReply, body: unknown): Promise<unknown> {
  const { asProtocolError } = await import("../mcp/index.ts");
  return asProtocolError(body);
}

async function loadMcpEndpoint(ports: McpPorts) {
  const { createMcpEndpoint } = await import("../mcp/index.ts");
  return createMcpEndpoint(ports);
}
