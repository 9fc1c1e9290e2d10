/** Every refusal and failure leaves as a code of our table; what the framework throws is translated here and only here. */
import type { IncomingMessage } from "node:http";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { allOperations, DomainError, toErrorBody, type Authenticate } from "../../contract/index.ts";
import { browserCredentialsOf, type BrowserPorts } from "./browser-credentials.ts";

const mostTakenBytes = 16 * 1_048_576;
const bodyCodes = new Set(["input.malformed", "input.unsupported-type"]);

type Terms = BrowserPorts & {
  readonly authenticate: Authenticate;
  readonly onDefect: (error: unknown, where: string) => string;
  readonly bodyLimitBytes: number;
};

export function respondWithError(
  app: FastifyInstance,
  { authenticate, onDefect, bodyLimitBytes, ...browser }: Terms,
): void {
  app.setErrorHandler(async (error, request, reply) => {
    if (!isAboutBody(error)) return send(asDomainError(error, request), reply);
    // The body is read before the handler asks who sends it; a stranger learns only that it is one.
    const refusal = await refusalOf(request);
    await takeRest(request.raw);
    return send(asDomainError(refusal ?? error, request), reply);
  });

  async function refusalOf(request: FastifyRequest): Promise<unknown> {
    try {
      await authenticate(browserCredentialsOf(request, browser), "anyone");
      return undefined;
    } catch (denied) {
      return denied;
    }
  }

  function asDomainError(error: unknown, request: FastifyRequest): DomainError {
    if (error instanceof DomainError) return error;
    const known = translated(error as FastifyError, request, bodyLimitBytes);
    return known ?? defect(error, onDefect(error, `${request.method} ${request.routeOptions.url ?? "unknown route"}`));
  }
}

/** For what is refused before a route is found: a path that is not valid. */
export function respondToBadPath(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  void send(translated(error, request, 0) ?? badPath(error), reply);
}

function send(error: DomainError, reply: FastifyReply): FastifyReply {
  if (error.retryAfterMs !== undefined) reply.header("retry-after", String(Math.ceil(error.retryAfterMs / 1000)));
  return reply.code(error.httpStatus).send(toErrorBody(error));
}

function isAboutBody(error: unknown): boolean {
  const { code = "" } = error as { code?: string };
  return code.startsWith("FST_ERR_CTP_") || bodyCodes.has(code);
}

/** A sender that is still writing when the connection is closed never reads why it was refused. */
function takeRest(body: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let taken = 0;
    body.on("data", (chunk: Buffer) => (taken += chunk.length) > mostTakenBytes && resolve());
    body.once("close", resolve).once("end", resolve);
    const isTooLong = Number(body.headers["content-length"] ?? 0) > mostTakenBytes;
    if (body.readableEnded || body.destroyed || isTooLong) resolve();
    body.resume();
  });
}

export function refuseUnknownRoute(app: FastifyInstance): void {
  app.setNotFoundHandler((request, reply) => {
    const [first = ""] = request.url.split("?");
    const near = allOperations()
      .map(({ http }) => http)
      .filter((route) => shareSegment(route, first));
    const error = new DomainError(
      "operation.unknown",
      `There is no ${request.method} ${first}; /openapi.json lists every route`,
      { details: { near } },
    );
    return reply.code(error.httpStatus).send(toErrorBody(error));
  });
}

function shareSegment(route: string, path: string): boolean {
  const noun = path.split("/")[2];
  return noun !== undefined && noun !== "" && route.split("/")[2]?.startsWith(noun.slice(0, 4)) === true;
}

function translated(error: FastifyError, { headers }: FastifyRequest, limitBytes: number): DomainError | undefined {
  const { code, message } = error;
  switch (code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new DomainError("input.too-large", `The body is larger than ${limitBytes} bytes; send less`, {
        details: { limitBytes },
      });
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new DomainError("input.unsupported-type", 'Send "content-type: application/json"', {
        details: { contentType: headers["content-type"] ?? null },
      });
    case "FST_ERR_CTP_INVALID_JSON_BODY":
    case "FST_ERR_CTP_EMPTY_JSON_BODY":
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return new DomainError("input.malformed", "The body is not JSON; send a JSON object in UTF-8", {
        details: { reason: message },
      });
    case "FST_ERR_BAD_URL":
    case "FST_ERR_MAX_PARAM_LENGTH":
      return badPath(error);
    default:
      return undefined;
  }
}

function badPath({ code }: FastifyError): DomainError {
  const reason = code === "FST_ERR_MAX_PARAM_LENGTH" ? "a part of it is too long" : "it is not percent-encoded text";
  return new DomainError("input.malformed", `The path is not a valid URL path: ${reason}`, { details: { reason } });
}

function defect(cause: unknown, reference: string): DomainError {
  return new DomainError(
    "internal",
    `A defect in Sylk stopped this request; "sylk logs" has the details under ${reference}`,
    { details: { reference }, cause },
  );
}
