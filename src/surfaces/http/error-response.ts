/** Every refusal and failure leaves as a code of our table; what the framework throws is translated here and only here. */
import type { FastifyError, FastifyInstance } from "fastify";
import { allOperations, DomainError, toErrorBody } from "../../contract/index.ts";

type OnDefect = (error: unknown, where: string) => string;

export function respondWithError(app: FastifyInstance, onDefect: OnDefect, bodyLimitBytes: number): void {
  app.setErrorHandler((error, request, reply) => {
    const known = error instanceof DomainError ? error : translated(error as FastifyError, bodyLimitBytes);
    const domain =
      known ?? defect(error, onDefect(error, `${request.method} ${request.routeOptions.url ?? "unknown route"}`));
    if (domain.retryAfterMs !== undefined) reply.header("retry-after", String(Math.ceil(domain.retryAfterMs / 1000)));
    return reply.code(domain.httpStatus).send(toErrorBody(domain));
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
      `There is no ${request.method} ${first}; /openapi.json lists what there is`,
      { details: { near } },
    );
    return reply.code(error.httpStatus).send(toErrorBody(error));
  });
}

function shareSegment(route: string, path: string): boolean {
  const noun = path.split("/")[2];
  return noun !== undefined && noun !== "" && route.split("/")[2]?.startsWith(noun.slice(0, 4)) === true;
}

function translated({ code, message }: FastifyError, limitBytes: number): DomainError | undefined {
  switch (code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new DomainError("input.too-large", `The body is larger than ${limitBytes} bytes; send less`, {
        details: { limitBytes },
      });
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new DomainError("input.unsupported-type", 'Send "content-type: application/json"', { details: {} });
    case "FST_ERR_CTP_INVALID_JSON_BODY":
    case "FST_ERR_CTP_EMPTY_JSON_BODY":
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return new DomainError("input.malformed", "The body is not JSON; send a JSON object in UTF-8", {
        details: { reason: message },
      });
    case "FST_ERR_BAD_URL":
    case "FST_ERR_MAX_PARAM_LENGTH":
      return new DomainError("input.malformed", "The path is not a valid URL path", { details: { reason: message } });
    default:
      return undefined;
  }
}

function defect(cause: unknown, reference: string): DomainError {
  return new DomainError(
    "internal",
    `A defect in Sylk stopped this request; "sylk logs" has the details under ${reference}`,
    { details: { reference }, cause },
  );
}
