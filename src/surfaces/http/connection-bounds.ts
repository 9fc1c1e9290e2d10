/**
 * Bounds on what connections can make the daemon hold, on the unix socket and on TCP together.
 *
 *   connection -> more than `connections`: the one that was used longest ago and waits for nothing of ours makes room
 *   request    -> one at a time on each connection; pipelined ones wait their turn, and too many are refused
 *   body       -> counts as it arrives, until its request is answered; above the total, the oldest unfinished ones are cut
 *   answer     -> a large one counts until it is read; above the total, the oldest unread ones are cut
 *   30 s without reading -> cut
 *
 * A caller that reads its answers meets none of them: its request starts at once, and a newcomer always finds room.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { DomainError, toErrorBody } from "../../contract/index.ts";

export const bounds = {
  /** Open connections. */
  connections: 1_000,
  /** Connections beyond that which are told so at their first request; more are closed at once. */
  toldConnections: 50,
  /** Requests that wait on one connection for the answer before them. */
  pipelined: 16,
  /** The same on all connections together. */
  pipelinedInTotal: 4_096,
  /** How long an answer may stay unread. */
  unreadMs: 30_000,
  /** Answers from this size on are counted. */
  largeAnswerBytes: 65_536,
  /** Large answers that are not read yet, all together. */
  unreadBytes: 32 * 1_048_576,
  /** Bodies of requests that are not answered yet, all together. A single one may be larger than this, if its route allows it. */
  bodyBytes: 32 * 1_048_576,
  /** A body that waits for its turn counts as this much: Node reads no more of it ahead. */
  waitingBodyBytes: 65_536,
  /** Streams of events. */
  subscribers: 500,
  /** Lists that wait for their turn of the event loop. */
  waitingReads: 1_000,
} as const;

const retryAfterMs = 1_000;

type Connection = {
  readonly socket: Socket;
  /** The answer under way; its request is `req`. */
  current: ServerResponse | undefined;
  readonly waiting: ServerResponse[];
  /** The first request beyond the limit: told so in its turn, and the last that is answered. */
  overLimit: ServerResponse | undefined;
  /** Requests after that one. They are kept until the connection ends, so they count. */
  dropped: number;
  /** Of the answer under way. */
  unreadBytes: number;
  /** Of the requests under way and waiting. */
  bodyBytes: number;
  /** Requests with a body that are not under way yet. */
  waitingBodies: number;
  /** It came when every other connection was in use. */
  readonly isTooMany: boolean;
  readonly onAnswered: () => void;
};

export type ConnectionBounds = {
  /** Serves the connections of a server within the bounds. */
  serve(server: Server): void;
  /** So many bytes of an answer are written and not read: for large ones. They count until the answer ends or 0 is told. */
  countUnread(response: ServerResponse, bytes: number): void;
  /** So many bytes more of a request's body have come. They count until its answer ends. */
  countBody(response: ServerResponse, bytes: number): void;
};

export function boundConnections(answer: RequestListener): ConnectionBounds {
  /** The one whose last request is longest ago comes first. */
  const open = new Set<Connection>();
  const bySocket = new WeakMap<Socket, Connection>();
  let pipelined = 0;
  let unreadBytes = 0;
  let bodyBytes = 0;

  function opened(socket: Socket): void {
    if (open.size >= bounds.connections + bounds.toldConnections) return void socket.destroy();
    const connection: Connection = {
      socket,
      current: undefined,
      waiting: [],
      overLimit: undefined,
      dropped: 0,
      unreadBytes: 0,
      bodyBytes: 0,
      waitingBodies: 0,
      isTooMany: open.size >= bounds.connections && !makeRoom(),
      onAnswered: () => answered(connection),
    };
    open.add(connection);
    bySocket.set(socket, connection);
    socket.once("close", () => forget(connection));
  }

  function makeRoom(): boolean {
    for (const connection of open) {
      if (!isDispensable(connection)) continue;
      cut(connection);
      return true;
    }
    return false;
  }

  function cut(connection: Connection): void {
    connection.socket.destroy();
    forget(connection); // at once: the event comes later
  }

  function forget(connection: Connection): void {
    if (!open.delete(connection)) return;
    pipelined -= connection.waiting.length + connection.dropped;
    connection.waiting.length = 0;
    connection.dropped = 0;
    count(connection, 0);
    addBody(connection, -connection.bodyBytes);
    connection.waitingBodies = 0;
  }

  function received(request: IncomingMessage, response: ServerResponse): void {
    const connection = bySocket.get(request.socket);
    if (connection === undefined || !open.has(connection)) return; // it was cut, and the rest of its bytes came with it
    if (connection.current === undefined) return start(connection, response);
    if (pipelined >= bounds.pipelinedInTotal) return cut(connection);
    pipelined++;
    if (connection.overLimit !== undefined) connection.dropped++;
    else {
      if (connection.waiting.length === bounds.pipelined) connection.overLimit = response;
      connection.waiting.push(response);
    }
    if (!hasBody(request)) return;
    connection.waitingBodies++;
    receivedBody(connection, bounds.waitingBodyBytes);
  }

  function start(connection: Connection, response: ServerResponse): void {
    connection.current = response;
    open.delete(connection);
    open.add(connection);
    response.once("close", connection.onAnswered);
    if (connection.isTooMany) refuse(response, tooManyConnections());
    else if (connection.overLimit === response) refuse(response, tooManyRequests());
    else answer(response.req, response);
  }

  function answered(connection: Connection): void {
    count(connection, 0);
    connection.current = undefined;
    const next = connection.waiting.shift();
    if (next !== undefined && hasBody(next.req)) connection.waitingBodies--;
    addBody(connection, connection.waitingBodies * bounds.waitingBodyBytes - connection.bodyBytes);
    if (next === undefined) return;
    pipelined--;
    start(connection, next);
  }

  function count(connection: Connection, bytes: number): void {
    unreadBytes += bytes - connection.unreadBytes;
    connection.unreadBytes = bytes;
  }

  function addBody(connection: Connection, bytes: number): void {
    connection.bodyBytes += bytes;
    bodyBytes += bytes;
  }

  function receivedBody(connection: Connection, bytes: number): void {
    addBody(connection, bytes);
    if (bodyBytes > bounds.bodyBytes) cutUnfinished(connection);
  }

  /** A caller that sends has its request whole in a moment, so the oldest ones are slow. Whole requests are answered. */
  function cutUnfinished(latest: Connection): void {
    for (const connection of open) {
      if (bodyBytes <= bounds.bodyBytes) return;
      const isWhole = connection.current?.req.complete === true && connection.waiting.length === 0;
      if (connection !== latest && connection.bodyBytes > 0 && !isWhole) cut(connection);
    }
    const ofOthers = bodyBytes - latest.bodyBytes;
    if (ofOthers >= bounds.bodyBytes) cut(latest);
  }

  /** A caller that reads has its answer in a moment, so the oldest ones are unread. A stream may have been read by now. */
  function cutUnread(latest: Connection): void {
    for (const connection of open) {
      if (unreadBytes <= bounds.unreadBytes) return;
      if (connection === latest || connection.unreadBytes === 0) continue;
      if (connection.socket.writableLength === 0) count(connection, 0);
      else cut(connection);
    }
  }

  return {
    serve(server) {
      server.timeout = bounds.unreadMs;
      server.on("connection", opened);
      server.on("request", received);
      server.on("timeout", (socket: Socket) => {
        const isAtWork = bySocket.get(socket)?.current !== undefined;
        // A call that takes its time and a stream without news owe their reader nothing.
        if (!isAtWork || socket.writableLength > 0) socket.destroy();
      });
    },
    countUnread(response, bytes) {
      const connection = response.socket === null ? undefined : bySocket.get(response.socket);
      if (connection === undefined || !open.has(connection)) return;
      count(connection, bytes);
      if (unreadBytes > bounds.unreadBytes) cutUnread(connection);
    },
    countBody(response, bytes) {
      const connection = response.socket === null ? undefined : bySocket.get(response.socket);
      if (connection !== undefined && open.has(connection)) receivedBody(connection, bytes);
    },
  };
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** Between two requests, in the middle of sending one, or with an answer that it does not read. */
function isDispensable({ current, isTooMany }: Connection): boolean {
  if (isTooMany) return false; // it is about to be told
  return current === undefined || current.writableEnded || !current.req.complete;
}

function refuse(response: ServerResponse, error: DomainError): void {
  const body = JSON.stringify(toErrorBody(error));
  response.writeHead(error.httpStatus, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    "retry-after": String(Math.ceil(retryAfterMs / 1000)),
    connection: "close",
  });
  response.end(body);
}

function tooManyConnections(): DomainError {
  return busy(
    `The daemon has ${bounds.connections} connections, and all are in use; repeat in a second, or close some`,
    bounds.connections,
  );
}

function tooManyRequests(): DomainError {
  return busy(
    `More than ${bounds.pipelined} requests wait on this connection; read the answers before you send more`,
    bounds.pipelined,
  );
}

export function tooManySubscribers(): DomainError {
  return busy(
    `The daemon has ${bounds.subscribers} event streams, and all are in use; close some, or read pages of events instead`,
    bounds.subscribers,
  );
}

export function tooManyReads(): DomainError {
  return busy(`${bounds.waitingReads} lists are waiting to be read; repeat in a second`, bounds.waitingReads);
}

function busy(message: string, limit: number): DomainError {
  return new DomainError("daemon.busy", message, { details: { limit }, retryAfterMs });
}
