import { expect, it } from "vitest";
import { ErrorBodySchema } from "./error-body.ts";
import {
  DomainError,
  errorFamilies,
  errorTable,
  fromErrorBody,
  invalidInput,
  messageOf,
  toErrorBody,
  type ErrorCode,
} from "./errors.ts";

const codes = Object.keys(errorTable) as ErrorCode[];

/** Architecture §5: what the caller should do decides status and exit code. */
const promised: Readonly<Record<string, readonly [http: number, exit: number]>> = {
  invalid: [400, 2],
  unauthenticated: [401, 8],
  denied: [403, 8],
  "not-found": [404, 3],
  conflict: [409, 4],
  lost: [410, 5],
  exhausted: [429, 6],
  unavailable: [503, 7],
  bug: [500, 70],
};
const ownStatus: Partial<Record<ErrorCode, number>> = {
  "input.too-large": 413,
  "input.unsupported-type": 415,
  "input.headers-too-large": 431,
};

it.each(codes)("gives %s a family, its status and its exit code [CORE-8]", (code) => {
  const { family, httpStatus, exitCode } = new DomainError(code, "message");
  const [http, exit] = promised[family] ?? [];
  expect([httpStatus, exitCode]).toEqual([ownStatus[code] ?? http, exit]);
});

it("has the families that are promised and no other", () => {
  expect(Object.keys(errorFamilies).toSorted()).toEqual(Object.keys(promised).toSorted());
});

it("says of each code when it happens and what it carries", () => {
  for (const { when, carries } of Object.values(errorTable)) {
    expect(when).not.toBe("");
    expect(carries).not.toBe("");
  }
});

it("replays refusals and no failures", () => {
  const replayed = codes.filter((code) => new DomainError(code, "message").isRefusal);
  expect(replayed).toContain("reservation.conflict");
  for (const code of ["store.unavailable", "daemon.stopping", "internal", "token.unknown"] as const)
    expect(replayed).not.toContain(code);
});

it("keeps its cause, and has none when none was given [CORE-8]", () => {
  const cause = new Error("planted");
  expect(new DomainError("internal", "message", { cause }).cause).toBe(cause);
  expect("cause" in new DomainError("internal", "message")).toBe(false);
});

it("fits the schema of an error's body that the API description shows", () => {
  const body = toErrorBody(new DomainError("claim.taken", "taken", { details: { holder: "heron" }, retryAfterMs: 5 }));
  expect(ErrorBodySchema.parse(body)).toEqual(body);
});

it("keeps the code of a newer daemon visible instead of guessing what it means", () => {
  const error = fromErrorBody({ error: { code: "moon.full", message: "wait a fortnight", details: { phase: 1 } } });
  expect(error).toMatchObject({ code: "internal", message: "moon.full: wait a fortnight", details: { phase: 1 } });
});

it("does not take a name every object has for a code", () => {
  expect(fromErrorBody({ error: { code: "constructor", message: "odd" } }).code).toBe("internal");
});

it("refuses one field with its name and problem, and with a sentence where that is not plain", () => {
  const cause = new Error("planted");
  const problems = [{ path: "limit", message: "must be positive" }];
  expect(invalidInput("limit", "must be positive")).toMatchObject({
    code: "input.invalid",
    message: "limit: must be positive",
    details: { problems },
  });
  const told = invalidInput("limit", "must be positive", { sentence: "Ask for more", details: { most: 5 }, cause });
  expect(told).toMatchObject({ message: "Ask for more", details: { problems, most: 5 }, cause });
});

it("has a text for whatever was thrown", () => {
  expect([new Error("planted"), "text", 5].map(messageOf)).toEqual(["planted", "text", "5"]);
  expect(messageOf(Object.create(null))).toBe("an error without a text");
});
