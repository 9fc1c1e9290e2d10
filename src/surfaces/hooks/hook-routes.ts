/**
 * `POST /v1/hooks/{client}/{event}`: what a client's hook was given, byte for byte, and one order for the launcher.
 *
 *   bytes -> the client's adapter -> HookEvent -> answerHook -> "<verdict>\n<text>"
 *
 * On the unix socket, which only its owner can open, no token is needed: a launcher that named one would show it
 * to every user who lists processes. On TCP the user's token is needed, as everywhere.
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { DomainError, type ClientAdapterV1, type HookVerdict } from "../../contract/index.ts";
import { suggestion } from "../../platform/nearest-name.ts";
import { createKeyedQueue } from "../../platform/keyed-queue/index.ts";
import { answerHook, type AnswerPorts } from "./answer-hook.ts";

export type HookPorts = AnswerPorts & {
  readonly clients: readonly ClientAdapterV1[];
  /** The user's own, for calls over the socket. */
  readonly userCredentials: () => { readonly token: string };
};

/** A tool's whole input comes along, and a tool may write a large file. */
const bodyLimitBytes = 64 * 1_048_576;

export function addHookRoutes(
  app: FastifyInstance,
  { tokenOf, ...ports }: HookPorts & { readonly tokenOf: (request: FastifyRequest) => string | undefined },
): void {
  const turns = createKeyedQueue();
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: bodyLimitBytes }, (_request, bytes, done) =>
      done(null, bytes),
    );
    scope.post<{ Params: { client: string; event: string } }>(
      "/v1/hooks/:client/:event",
      { bodyLimit: bodyLimitBytes },
      async (request, reply) => {
        const { client: name, event } = request.params;
        const client = ports.clients.find((candidate) => candidate.name === name);
        if (client === undefined) throw unknownClient(name, ports.clients);
        const overSocket = request.raw.socket.localPort === undefined;
        const token = overSocket ? ports.userCredentials().token : tokenOf(request);
        if (!overSocket) await ports.authenticate({ token }, "user");
        const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
        const isGone = (): boolean => request.raw.socket.destroyed || reply.raw.destroyed;
        const verdict = await answerHook(
          { client, event, body, headers: request.headers, token, isGone },
          { ...ports, turns },
        );
        return reply.type("text/plain; charset=utf-8").send(orderOf(verdict, client, event));
      },
    );
  });
}

function orderOf(answer: HookVerdict, client: ClientAdapterV1, event: string): string {
  if (answer.verdict === "allow") return "allow";
  if (answer.verdict === "deny") {
    const spoken = client.deny?.(event, answer.text);
    return spoken === undefined ? `deny\n${answer.text}` : `tell\n${spoken}`;
  }
  const text = answer.verdict === "tell" ? client.tell(event, answer.text) : answer.text;
  return text === undefined ? "allow" : `${answer.verdict}\n${text}`;
}

function unknownClient(name: string, clients: readonly ClientAdapterV1[]): DomainError {
  const names = clients.map((client) => client.name);
  const known = `${names.join(", ")}${suggestion(name, names)}`;
  return new DomainError("operation.unknown", `No adapter reads hooks of "${name}". Known: ${known}`, {
    details: { near: names },
  });
}
