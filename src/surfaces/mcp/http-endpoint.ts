/**
 * MCP over streamable HTTP, without sessions: every request brings its own identity.
 *
 *   token unknown -> 401 -> stop
 *   token known   -> protocol -> tool call -> authenticate for that operation -> dispatch
 *
 * The user's token is the user's for what users do; what agents do needs an agent, and none is made for it. A key in the
 * address, for clients that can set no header, registers agents, reads, and acts for agents whose handle a call gives.
 *
 * Serves 2025-06-18, 2025-11-25 and 2026-07-28 at one address. Host and Origin are the HTTP surface's business.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { toNodeHandler, type NodeIncomingMessageLike } from "@modelcontextprotocol/node";
import { createMcpHandler, ProtocolError, type AuthInfo } from "@modelcontextprotocol/server";
import {
  type Actor,
  DomainError,
  operations,
  parseInput,
  toErrorBody,
  type Authenticate,
  type Caller,
  type Credentials,
  type Dispatch,
} from "../../contract/index.ts";
import { buildMcpServer } from "./build-server.ts";
import type { OnDefect, RunOperation, ToolPorts } from "./call-tool.ts";
import { parseError, refusalOf } from "./check-message.ts";

export type McpPorts = {
  readonly dispatch: Dispatch;
  readonly authenticate: Authenticate;
  readonly onDefect: OnDefect;
} & Pick<ToolPorts, "callSessionFields">;
export type McpEndpoint = (
  request: IncomingMessage,
  response: ServerResponse,
  body: unknown,
  credentials: Credentials,
) => Promise<void>;

export function createMcpEndpoint({ dispatch, authenticate, onDefect, callSessionFields }: McpPorts): McpEndpoint {
  const onerror = (error: Error) => {
    if (!isRejection(error)) onDefect(error, "MCP endpoint");
  };
  const handler = createMcpHandler(
    ({ authInfo }) =>
      buildMcpServer({ run: runFrom(authInfo), onDefect, callSessionFields }, { byHandle: isByHandle(authInfo) }),
    { onerror },
  );
  const serve = toNodeHandler(handler, { onerror });

  return async (request, response, body, sent) => {
    const credentials: Credentials = { ...sent, needsAgent: "to-act" };
    let known: Caller | undefined;
    try {
      known = await identify(credentials, authenticate);
    } catch (error) {
      return refuse(response, error instanceof DomainError ? error : defect(error, onDefect));
    }
    const revision = request.headers["mcp-protocol-version"];
    const refusal = body === undefined ? undefined : refusalOf(body, revision?.toString());
    if (refusal !== undefined) return sendJson(response, 400, refusal);
    const auth = authInfoWith(runAs(credentials, known, { dispatch, authenticate }), sent.inAddress === true);
    await serve(Object.assign(request, { auth }) as NodeIncomingMessageLike, response, body);
  };
}

/**
 * The caller for operations that anyone may call. A valid token whose agent has ended or may not act here is refused by
 * the call, not by HTTP: there the model reads why.
 */
async function identify(credentials: Credentials, authenticate: Authenticate): Promise<Caller | undefined> {
  try {
    return await authenticate(credentials, "anyone");
  } catch (error) {
    if (error instanceof DomainError && error.isRefusal) return undefined;
    throw error;
  }
}

function runAs(
  sender: Credentials,
  known: Caller | undefined,
  { dispatch, authenticate }: Pick<McpPorts, "dispatch" | "authenticate">,
): RunOperation {
  return async (name, input, { idempotencyKey, ...identity }) => {
    const operation = operations[name];
    const actor = sender.inAddress === true ? actorOverAddress(operation) : operation.actor;
    const isSender = Object.keys(identity).length === 0;
    const isKnown = isSender && (actor === "anyone" || known?.kind === "agent");
    // A session's agent is made when it first acts; a call that is refused for its input must not make it.
    if (actor === "agent" && known?.kind === "user") parseInput(operation, input);
    const caller = (isKnown ? known : undefined) ?? (await authenticate({ ...sender, ...identity }, actor));
    return dispatch(name, input, caller, { idempotencyKey });
  };
}

/** The address is written into clients' settings: it does nothing that only the user may do, but register agents. */
function actorOverAddress({ name, actor, kind }: (typeof operations)[keyof typeof operations]): Actor {
  if (name === "agent.register") return actor;
  if (actor === "user")
    throw new DomainError("caller.denied", `${name} needs the user's token; this address is for agents`, {
      details: { needed: "the user's token" },
    });
  return kind === "change" ? "agent" : actor;
}

/** The library hands `authInfo` from request to server untouched; ours carries what this sender's calls run through. */
function authInfoWith(run: RunOperation, byHandle: boolean): AuthInfo {
  return { token: "", clientId: "", scopes: [], extra: { run, byHandle } };
}

function isByHandle(authInfo: AuthInfo | undefined): boolean {
  return authInfo?.extra?.byHandle === true;
}

function runFrom(authInfo: AuthInfo | undefined): RunOperation {
  return authInfo?.extra?.run as RunOperation;
}

/** The library reports a client's mistakes, which it answers itself, through the same callback as its failures. */
function isRejection(error: Error): boolean {
  return ProtocolError.isInstance(error) || /^(Rejected|Unsupported Media Type)\b/.test(error.message);
}

function refuse(response: ServerResponse, error: DomainError): void {
  const challenge = error.family === "unauthenticated" ? { "www-authenticate": "Bearer" } : {};
  sendJson(response, error.httpStatus, toErrorBody(error), challenge);
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers });
  response.end(JSON.stringify(body));
}

/** A body that the HTTP surface could not read, in the protocol's words; its other refusals stay as they are. */
export function asProtocolError(body: unknown): unknown {
  const { error } = body as { readonly error?: { readonly code?: string; readonly message?: string } };
  return error?.code === "input.malformed" ? parseError(error.message ?? "", body) : body;
}

function defect(cause: unknown, onDefect: OnDefect): DomainError {
  const reference = onDefect(cause, "MCP endpoint");
  return new DomainError(
    "internal",
    `A defect in Sylk stopped this request; its log has the details under ${reference}`,
    {
      details: { reference },
      cause,
    },
  );
}
