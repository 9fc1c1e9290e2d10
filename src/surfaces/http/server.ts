/**
 * The HTTP surface: one route per operation, on a unix socket (0600) and on loopback TCP.
 *
 *   request -> Host and Origin -> token (or the page's cookie) -> input from path, query and body -> dispatch -> JSON
 *
 * It knows no store: only `dispatch`, `authenticate` and the event feed.
 */
import { createServer, type Server } from "node:http";
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
import { addHookRoutes, type HookPorts } from "../hooks/index.ts";
import { addStatuslineRoute, type StatuslinePorts } from "../statusline/index.ts";
import { addAgentCard } from "./agent-card.ts";
import { browserCredentialsOf } from "./browser-credentials.ts";
import { credentialsOf } from "./credentials.ts";
import { refuseUnknownRoute, respondToBadPath, respondWithError } from "./error-response.ts";
import { streamEvents, wantsStream } from "./event-stream.ts";
import { checkOrigin } from "./check-origin.ts";
import { readJsonBodies } from "./json-body.ts";
import { addMcpRoutes } from "./mcp-routes.ts";
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
  };

export type HttpServer = {
  listenSocket(path: string): Promise<void>;
  /** The port that was bound: the wanted one, or the next free one. */
  listenLoopback(port: number): Promise<number>;
  /** Answers what is under way and ends streams; connections that are not done at the deadline are cut off. */
  close(deadline: Promise<void>): Promise<void>;
};

const bodyLimitBytes = 1_048_576;
const portsToTry = 50;

export async function createHttpServer(ports: HttpPorts): Promise<HttpServer> {
  const closing = new AbortController();
  const app = fastify({
    bodyLimit: bodyLimitBytes,
    clientErrorHandler: () => {}, // refuseWhatIsNotHttp answers, here and on TCP
    forceCloseConnections: "idle",
    frameworkErrors: respondToBadPath,
    http: connectionLimits,
    logger: false,
    requestTimeout: connectionLimits.requestTimeout,
    return503OnClosing: false, // the store says "daemon.stopping" once it is closed; until then calls are answered
    routerOptions: { maxParamLength: 200 },
  });
  readJsonBodies(app);
  respondWithError(app, { ...ports, bodyLimitBytes });
  app.addHook("onRequest", async (request) => checkOrigin(request));
  // Well or not, and no detail: the route needs no token. Not well means that changes are refused, not that the daemon is absent.
  app.get("/healthz", async (_request, reply) => {
    const ok = await ports.probe().then(
      () => true,
      () => false,
    );
    return reply.code(ok ? 200 : 503).send({ ok });
  });
  addOperationRoutes(app, ports, closing.signal);
  const tokenOf = (request: FastifyRequest): string | undefined => credentialsOf(request).token;
  addHookRoutes(app, { ...ports, tokenOf });
  addStatuslineRoute(app, { ...ports, tokenOf });
  addDocumentRoutes(app, ports);
  addAgentCard(app);
  addMcpRoutes(app, ports);
  addPageRoutes(app, ports);
  refuseUnknownRoute(app);

  const tcp = createServer(connectionLimits, (request, response) => app.routing(request, response));
  [app.server, tcp].forEach(refuseWhatIsNotHttp);
  // A connection that has had its last answer is idle and would be kept for another request.
  app.addHook("onResponse", async () => {
    if (closing.signal.aborted) setImmediate(closeIdleConnections);
  });
  const closeIdleConnections = (): void => [app.server, tcp].forEach((server) => server.closeIdleConnections());
  await app.ready();
  return {
    async listenSocket(path) {
      const before = process.umask(0o177);
      try {
        await app.listen({ path });
      } finally {
        process.umask(before);
      }
    },
    listenLoopback: (port) => listenNextFree(tcp, port),
    async close(deadline) {
      closing.abort();
      const closed = Promise.all([app.close(), tcp.listening && new Promise((resolve) => tcp.close(resolve))]);
      await Promise.race([closed, deadline]);
      for (const server of [app.server, tcp]) server.closeAllConnections();
      await closed;
    },
  };
}

function addOperationRoutes(app: FastifyInstance, ports: HttpPorts, closing: AbortSignal): void {
  const { dispatch, authenticate, feed } = ports;
  for (const operation of allOperations()) {
    app.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ":$1"),
      async handler(request, reply) {
        const credentials = browserCredentialsOf(request, ports);
        const sender = await authenticate(credentials, operation.actor === "user" ? "user" : "anyone");
        if (operation.name === "event.list" && wantsStream(request))
          return streamEvents(request, reply, { dispatch, feed, caller: sender, closing });
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

function addDocumentRoutes(app: FastifyInstance, { authenticate }: HttpPorts): void {
  app.route({
    method: "GET",
    url: "/openapi.json",
    async handler(request) {
      await authenticate(credentialsOf(request), "anyone");
      const { openApiDocument } = await import("./openapi.ts");
      return openApiDocument();
    },
  });
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
