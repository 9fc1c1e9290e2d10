/**
 * One keep-alive HTTP/1.1 connection over `node:net`, one request at a time: a load generator that spends as little as
 * possible of the machine it shares with the daemon.
 */
import { connect } from "node:net";

export type Address = { readonly socket: string } | { readonly port: number };
export type Answer = { readonly status: number; readonly body: string };
export type WireConnection = {
  /** The other side has ended it, as a server does with one that was idle for long: the next call needs a new one. */
  readonly closed: boolean;
  send(request: string): Promise<Answer>;
  close(): void;
};

/** As clients say it: with the port, unless it is the protocol's own. */
export function hostOf(address: Address): string {
  return "socket" in address ? "localhost" : `localhost:${address.port}`;
}

type Waiting = { readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void };

export function openConnection(address: Address): Promise<WireConnection> {
  const stream = "socket" in address ? connect(address.socket) : connect(address.port, "127.0.0.1");
  stream.setNoDelay(true);
  let received = "";
  let waiting: Waiting | undefined;

  function fail(error: Error): void {
    waiting?.reject(error);
    waiting = undefined;
  }
  stream.setEncoding("latin1"); // one character per byte, so that lengths agree
  stream.on("data", (text: string) => {
    received += text;
    const answer = parseAnswer(received);
    if (answer === undefined) return;
    const done = waiting;
    received = "";
    waiting = undefined;
    done?.resolve(answer);
  });
  stream.on("close", () => fail(closedEarly()));

  const connection: WireConnection = {
    get closed() {
      return stream.readableEnded || stream.destroyed;
    },
    send: (request) =>
      new Promise((resolve, reject) => {
        if (stream.destroyed) return reject(closedEarly());
        waiting = { resolve, reject };
        stream.write(request, "latin1");
      }),
    close: () => stream.destroy(),
  };
  return new Promise((resolve, reject) => {
    stream.once("connect", () => resolve(connection));
    stream.once("error", (error) => {
      fail(error);
      reject(error);
    });
  });
}

function closedEarly(): Error {
  return new Error("the connection was closed before an answer came");
}

/** Undefined while the answer is not complete. Our daemon always sends a content-length. */
function parseAnswer(received: string): Answer | undefined {
  const split = received.indexOf("\r\n\r\n");
  if (split === -1) return undefined;
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(received) ?? [];
  if (length === undefined) throw new Error(`an answer without content-length: ${received.slice(0, split)}`);
  const body = received.slice(split + 4);
  return body.length < Number(length) ? undefined : { status: Number(received.slice(9, 12)), body };
}
