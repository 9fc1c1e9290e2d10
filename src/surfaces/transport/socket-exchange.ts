/**
 * One request and its answer over the daemon's unix socket, in HTTP/1.1 with `node:net` alone: loading `node:http` would cost
 * a command more time than the call itself. One connection per request, closed by the daemon, so the answer ends with the
 * stream. It knows no error of ours, whose table the status line would load at every turn of a client.
 */
import { connect } from "node:net";
import type { WireRequest, WireResponse } from "./transport.ts";

/** `isSilent`: a process holds the socket and says nothing; otherwise the cause says why there is no answer. */
export class ExchangeFailed extends Error {
  readonly isSilent: boolean;
  constructor(isSilent: boolean, cause?: unknown) {
    super("the daemon did not answer", { cause });
    this.isSilent = isSilent;
  }
}

const headerEnd = Buffer.from("\r\n\r\n");

/** Rejects with `ExchangeFailed`, or with the reason of the request's signal. */
export function exchange(
  socketPath: string,
  { method, path, headers, body = "", signal }: WireRequest,
  patienceMs: number,
): Promise<WireResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(socketPath);
    const giveUp = (reason: Error): void => {
      reject(reason);
      socket.destroy();
    };
    const fail = (cause: unknown): void => giveUp(new ExchangeFailed(false, cause));
    socket.setTimeout(patienceMs, () => giveUp(new ExchangeFailed(true)));
    signal?.addEventListener("abort", () => giveUp(signal.reason as Error), { once: true });
    socket.on("error", fail);
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("close", () => {
      try {
        resolve(parseResponse(Buffer.concat(chunks)));
      } catch (cause) {
        fail(cause);
      }
    });
    const payload = Buffer.from(body);
    const lines = [
      `${method} ${path} HTTP/1.1`,
      "host: localhost",
      "connection: close",
      `content-length: ${payload.length}`,
    ];
    for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
    socket.write(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), payload]));
  });
}

/** Reads only what our own daemon sends: a status line, a content-length and that many bytes. */
function parseResponse(raw: Buffer): WireResponse {
  const split = raw.indexOf(headerEnd);
  if (split === -1) throw new Error("the connection was closed before an answer came");
  const head = raw.subarray(0, split).toString("latin1");
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(head) ?? [];
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? [];
  const body = raw.subarray(split + headerEnd.length);
  if (status === undefined || length === undefined) throw new Error("the answer is not from a Sylk daemon");
  if (body.length !== Number(length)) throw new Error("the connection was closed in the middle of the answer");
  return { status: Number(status), body: body.toString("utf8") };
}
