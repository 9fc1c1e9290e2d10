/**
 * Answers connections that the HTTP parser itself refuses: there is no request yet, but the sender gets a code of our table.
 *
 *   bytes -> parser -> request -> answer
 *                  \-> error  -> the answers that are still under way -> the refusal -> the end of the connection
 */
import { maxHeaderSize, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { DomainError, toErrorBody } from "../../contract/index.ts";

/** Of both servers. The parser's checks run every few seconds, so a slow sender is refused that much later. */
export const connectionLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 72_000,
  /** Ours to refuse, with a code. */
  requireHostHeader: false,
} as const;

const reasons: Readonly<Record<number, string>> = { 400: "Bad Request", 431: "Request Header Fields Too Large" };

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };

export function refuseWhatIsNotHttp(server: Server): void {
  const latest = new WeakMap<Socket, Exchange>();
  const refused = new WeakSet<Socket>();
  server.on("request", (request, response) => latest.set(request.socket, { request, response }));
  // The rest would be dropped in silence; how many bytes they may have is limited anyway.
  server.maxHeadersCount = 0;
  server.on("clientError", (cause: NodeJS.ErrnoException, socket: Socket) => {
    // A connection that was only opened is not told off for being slow: browsers keep some in store.
    if (cause.code === "ECONNRESET" || !socket.writable || socket.bytesRead === 0) return void socket.destroy();
    if (refused.has(socket)) return void (cause.code === "ERR_HTTP_REQUEST_TIMEOUT" && socket.destroy());
    refused.add(socket);
    afterAnswer(latest.get(socket), () => refuse(socket, asDomainError(cause)));
  });
  // Without listeners the one would get an answer without a code, the other none at all.
  server.on("checkExpectation", (request, response) => void server.emit("request", request, response));
  server.on("connect", (_request: IncomingMessage, socket: Socket) => refuse(socket, noTunnel()));
}

/** Whole requests before the broken bytes have their answers first: the sender counts them off in order. */
function afterAnswer(exchange: Exchange | undefined, refuseNow: () => void): void {
  const underWay = exchange !== undefined && exchange.request.complete && !exchange.response.writableFinished;
  if (underWay) exchange.response.once("close", refuseNow);
  else refuseNow();
}

function refuse(socket: Socket, error: DomainError): void {
  if (!socket.writable) return void socket.destroy();
  const body = JSON.stringify(toErrorBody(error));
  socket.end(
    [
      `HTTP/1.1 ${error.httpStatus} ${reasons[error.httpStatus] ?? ""}`,
      "content-type: application/json; charset=utf-8",
      `content-length: ${Buffer.byteLength(body)}`,
      "connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}

function asDomainError(cause: NodeJS.ErrnoException): DomainError {
  return cause.code === "HPE_HEADER_OVERFLOW" ? headersTooLarge(cause) : notHttp(cause);
}

function headersTooLarge(cause: Error): DomainError {
  return new DomainError("input.headers-too-large", `The headers are larger than ${maxHeaderSize} bytes; send less`, {
    details: { limitBytes: maxHeaderSize },
    cause,
  });
}

function notHttp(cause: NodeJS.ErrnoException): DomainError {
  const reason = cause.code ?? cause.message;
  return new DomainError("input.malformed", `The request is not valid HTTP/1.1 (${reason}) or came too slowly`, {
    details: { reason },
    cause,
  });
}

function noTunnel(): DomainError {
  return new DomainError("input.malformed", "CONNECT is not served here; send a request for a path", {
    details: { reason: "CONNECT" },
  });
}
