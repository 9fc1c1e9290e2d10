/** What the HTTP parser itself refuses has no request to answer; the sender still gets a code of our table. */
import { maxHeaderSize } from "node:http";
import type { Socket } from "node:net";
import { DomainError, toErrorBody } from "../../contract/index.ts";

const reasons: Readonly<Record<number, string>> = { 400: "Bad Request", 431: "Request Header Fields Too Large" };

export function refuseConnection(cause: NodeJS.ErrnoException, socket: Socket): void {
  if (cause.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const error = cause.code === "HPE_HEADER_OVERFLOW" ? headersTooLarge(cause) : notHttp(cause);
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
