/**
 * `POST /v1/statusline`: a client's JSON, byte for byte, and one line of text. On the unix socket, which only its owner can
 * open, no token is needed, as for hooks.
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { createDrawLine, type StatuslinePorts } from "./daemon-line.ts";

type Ports = StatuslinePorts & {
  readonly userCredentials: () => { readonly token: string };
  readonly tokenOf: (request: FastifyRequest) => string | undefined;
};

const bodyLimit = 1_048_576;

export function addStatuslineRoute(app: FastifyInstance, { tokenOf, userCredentials, ...ports }: Ports): void {
  const drawLine = createDrawLine(ports);
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string", bodyLimit }, (_request, text, done) => done(null, text));
    scope.post("/v1/statusline", { bodyLimit }, async (request, reply) => {
      const overSocket = request.raw.socket.localPort === undefined;
      const token = overSocket ? userCredentials().token : tokenOf(request);
      if (!overSocket) await ports.authenticate({ token }, "user");
      const text = typeof request.body === "string" ? request.body : "";
      return reply.type("text/plain; charset=utf-8").send(await drawLine(text, { token, cwd: folderOf(request) }));
    });
  });
}

/** For a client that does not say where it is: where its command was started. */
function folderOf({ headers }: FastifyRequest): string | undefined {
  const given = headers["sylk-project"];
  try {
    return typeof given === "string" ? decodeURIComponent(given) : undefined;
  } catch {
    return undefined;
  }
}
