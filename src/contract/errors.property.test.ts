import fc from "fast-check";
import { expect, it } from "vitest";
import { DomainError, errorTable, fromErrorBody, toErrorBody, type ErrorBody, type ErrorCode } from "./errors.ts";

it("comes through its body, as JSON on any surface, with code, message, details and waiting time [CORE-8]", () => {
  const details = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true });
  fc.assert(
    fc.property(
      fc.constantFrom(...(Object.keys(errorTable) as ErrorCode[])),
      fc.string(),
      details,
      fc.option(fc.nat(), { nil: undefined }),
      (code, message, details, retryAfterMs) => {
        const error = new DomainError(code, message, {
          details,
          ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
        });
        const wire = JSON.stringify(toErrorBody(error));
        const arrived = fromErrorBody(JSON.parse(wire) as ErrorBody);
        expect(JSON.stringify(toErrorBody(arrived))).toBe(wire);
        expect(arrived).toBeInstanceOf(DomainError);
        expect([arrived.code, arrived.message, arrived.retryAfterMs]).toEqual([code, message, retryAfterMs]);
        expect([arrived.httpStatus, arrived.exitCode]).toEqual([error.httpStatus, error.exitCode]);
      },
    ),
    { numRuns: 500 },
  );
});
