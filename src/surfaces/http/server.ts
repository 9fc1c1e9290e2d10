/**
 * The HTTP surface: one route per operation, on a unix socket (0600) and on loopback TCP.
 *
 *   request -> Host and Origin -> token (or the page's cookie) -> input from path, query and body -> dispatch -> JSON
 *
 * It knows no store: only `dispatch`, `authenticate` and the event feed.
 */
import { renameSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { Server as NetServer } from "node:net";
import { dirname, join } from "node:path";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import {
  type CallSessionField,
  allOperations,
  type Authenticate,
  type Caller,
  type Credentials,
  type Dispatch,
  type EventFeed,
  invalidInput,
  type Operation,
  parseInput,
} from "../../contract/index.ts";
import { entryIdentityOf, type FileIdentity } from "../../platform/file-identity.ts";
import { addHookRoutes, type HookPorts } from "../hooks/index.ts";
import { addStatuslineRoute, type StatuslinePorts } from "../statusline/index.ts";
import { addAgentCard } from "./agent-card.ts";
import { browserCredentialsOf } from "./browser-credentials.ts";
import { credentialsOf } from "./credentials.ts";
import { refuseUnknownRoute, respondToBadPath, respondWithError } from "./error-response.ts";
import { streamEvents, wantsStream } from "./event-stream.ts";
import { checkOrigin, readAllowedHosts } from "./check-origin.ts";
import { boundConnections, bounds, type ConnectionBounds, hasBody } from "./connection-bounds.ts";
import { addDocumentRoute } from "./document-route.ts";
import { readJsonBodies } from "./json-body.ts";
import { addMcpRoutes } from "./mcp-routes.ts";
import { paceReads } from "./pace-reads.ts";
import { addPageRoutes, type PagePorts } from "./page-routes.ts";
import { readInput } from "./read-input.ts";
import { connectionLimits, refuseWhatIsNotHttp } from "./refuse-connection.ts";

export type HttpPorts = PagePorts &
  HookPorts &
  StatuslinePorts & {
    readonly dispatch: Dispatch;
    readonly authenticate: Authenticate;
    readonly feed: EventFeed;
    /** Throws with the reason when the daemon is not well. */
    readonly probe: () => Promise<void>;
    readonly onDefect: (error: unknown, where: string) => string;
    readonly callSessionFields: readonly CallSessionField[];
    /** The setting http.allowedHosts. */
    readonly allowedHosts: string;
  };

export type HttpServer = {
  /** Also again, where the socket was removed: the connections that are open stay. */
  listenSocket(path: string): Promise<void>;
  /** The port that was bound: the wanted one, or the next free one. */
  listenLoopback(port: number): Promise<number>;
  /** Answers what is under way and ends streams; connections that are not done at the deadline are cut off. */
  close(deadline: Promise<void>): Promise<void>;
};

const bodyLimitBytes = 1_048_576;
const portsToTry = 50;

export async function createHttpServer(given: HttpPorts): Promise<HttpServer> {
  const ports = { ...given, dispatch: paceReads(given.dispatch) };
  const allowedHosts = readAllowedHosts(given.allowedHosts);
  const closing = new AbortController();
  const app = fastify({
    bodyLimit: bodyLimitBytes,
    frameworkErrors: respondToBadPath,
    logger: false,
    return503OnClosing: false, // the store says "daemon.stopping" once it is closed; until then calls are answered
    routerOptions: { maxParamLength: 200 },
  });
  const connections = boundConnections((request, response) => app.routing(request, response));
  readJsonBodies(app);
  respondWithError(app, { ...ports, bodyLimitBytes });
  // With a callback: a promise would cost every request a turn of its own.
  app.addHook("onRequest", (request, _reply, done) => {
    checkOrigin(request, allowedHosts);
    done();
  });
  countBodies(app, connections);
  countLargeAnswers(app, connections);
  // Well or not, and no detail: the route needs no token. Not well means that changes are refused, not that the daemon is absent.
  app.get("/healthz", async (_request, reply) => {
    const ok = await ports.probe().then(
      () => true,
      () => false,
    );
    return reply.code(ok ? 200 : 503).send({ ok });
  });
  addOperationRoutes(app, ports, { closing: closing.signal, connections });
  const tokenOf = (request: FastifyRequest): string | undefined => credentialsOf(request).token;
  addHookRoutes(app, { ...ports, tokenOf });
  addStatuslineRoute(app, { ...ports, tokenOf });
  addDocumentRoute(app, ports);
  addAgentCard(app);
  addMcpRoutes(app, ports, connections);
  addPageRoutes(app, ports);
  refuseUnknownRoute(app);

  const [unix, tcp] = [createServer(connectionLimits), createServer(connectionLimits)];
  const servers = [unix, tcp];
  for (const server of servers) {
    refuseWhatIsNotHttp(server);
    connections.serve(server);
  }
  // A connection that has had its last answer is idle and would be kept for another request.
  app.addHook("onResponse", (_request, _reply, done) => {
    if (closing.signal.aborted) setImmediate(() => servers.forEach((server) => server.closeIdleConnections()));
    done();
  });
  await app.ready();
  let socket: { readonly path: string; readonly identity: FileIdentity } | undefined;
  return {
    async listenSocket(path) {
      await listenAt(unix, path);
      socket = { path, identity: entryIdentityOf(path) };
    },
    listenLoopback: (port) => listenNextFree(tcp, port),
    async close(deadline) {
      closing.abort();
      const closed = Promise.all([app.close(), ...servers.map(closeServer)]);
      // Not the socket of a daemon that took over.
      if (socket !== undefined && entryIdentityOf(socket.path) === socket.identity)
        rmSync(socket.path, { force: true });
      await Promise.race([closed, deadline]);
      for (const server of servers) server.closeAllConnections();
      await closed;
    },
  };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => (server.listening ? void server.close(() => resolve()) : resolve()));
}

/**
 * Bound beside its place and renamed: there is never a moment without a socket, and its end does not unlink by name the
 * socket that is there then, as Node would.
 */
async function listenAt(server: Server, path: string): Promise<void> {
  if (server.listening) NetServer.prototype.close.call(server); // that of http would also end connections
  const fresh = join(dirname(path), `.${process.pid}`);
  rmSync(fresh, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    const before = process.umask(0o177);
    server.listen({ path: fresh }, () => {
      server.off("error", reject);
      resolve();
    });
    process.umask(before); // it is bound by now
  });
  renameSync(fresh, path);
}

/** The parser listens in the same turn, so it misses nothing. */
function countBodies(app: FastifyInstance, connections: ConnectionBounds): void {
  app.addHook("preParsing", ({ raw }, reply, payload, done) => {
    if (hasBody(raw)) payload.on("data", (chunk: Buffer) => connections.countBody(reply.raw, chunk.length));
    done(null, payload);
  });
}

/** Text as bytes, so that they are counted as they are kept. */
function countLargeAnswers(app: FastifyInstance, connections: ConnectionBounds): void {
  app.addHook("onSend", (_request, reply, payload, done) => {
    const isWhole = typeof payload === "string" || Buffer.isBuffer(payload);
    if (!isWhole || payload.length < bounds.largeAnswerBytes) return done(null, payload);
    const bytes = typeof payload === "string" ? Buffer.from(payload) : payload;
    connections.countUnread(reply.raw, bytes.length);
    done(null, bytes);
  });
}

type RouteTerms = { readonly closing: AbortSignal; readonly connections: ConnectionBounds };

function addOperationRoutes(app: FastifyInstance, ports: HttpPorts, { closing, connections }: RouteTerms): void {
  const { dispatch, authenticate, feed } = ports;
  const streaming = streamEvents({ dispatch, feed, closing, connections });
  for (const operation of allOperations()) {
    app.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ":$1"),
      async handler(request, reply) {
        const coversAll = operation.kind === "read" && "all" in operation.input.shape;
        const credentials = { ...browserCredentialsOf(request, ports), coversAll };
        const sender = await authenticate(credentials, operation.actor === "user" ? "user" : "anyone");
        if (operation.name === "event.list" && wantsStream(request)) return streaming(request, reply, sender);
        const idempotencyKey =
          operation.kind === "change" ? idempotencyKeyOf(request.headers["idempotency-key"]) : undefined;
        const input = readInput(operation, request);
        const caller = await callerOf(sender, operation, input, { credentials, authenticate });
        const signal = "waitMs" in operation.input.shape ? whileWaitedFor(reply, closing) : undefined;
        return dispatch(operation.name, input, caller, { idempotencyKey, signal });
      },
    });
  }
}

/** Aborted when the connection ends before the answer, or the daemon stops. */
function whileWaitedFor(reply: FastifyReply, closing: AbortSignal): AbortSignal {
  const gone = new AbortController();
  reply.raw.once("close", () => gone.abort());
  return AbortSignal.any([gone.signal, closing]);
}

/** The user's own agent is made when it first acts; a call that is refused for its input must not make it. */
async function callerOf(
  sender: Caller,
  operation: Operation,
  input: unknown,
  { credentials, authenticate }: { readonly credentials: Credentials; readonly authenticate: Authenticate },
): Promise<Caller> {
  const isForAgents = operation.actor === "agent" || isChangeOfNobody(operation, credentials);
  if (!isForAgents || sender.kind === "agent") return sender;
  parseInput(operation, input);
  const agent = await authenticate(credentials, "agent");
  return operation.actor === "user" ? sender : agent;
}

/** A registration is how a caller without an agent gets one. */
function isChangeOfNobody({ kind, name }: Operation, { needsAgent }: Credentials): boolean {
  return needsAgent === "to-change" && kind === "change" && name !== "agent.register";
}

function idempotencyKeyOf(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === "string" && /^[\x21-\x7e]{1,200}$/.test(header)) return header;
  throw invalidInput("idempotency-key", "must be 1 to 200 visible ASCII characters", {
    sentence: "Idempotency-Key must be 1 to 200 visible ASCII characters",
  });
}

async function listenNextFree(server: Server, wanted: number): Promise<number> {
  for (let port = wanted; ; port++) {
    try {
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen({ port, host: "127.0.0.1" }, () => {
          server.off("error", reject);
          resolve();
        });
      });
      const address = server.address();
      return typeof address === "object" && address !== null ? address.port : port;
    } catch (error) {
      const taken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
      if (!taken || port >= Math.min(65_535, wanted + portsToTry)) throw error;
    }
  }
}
