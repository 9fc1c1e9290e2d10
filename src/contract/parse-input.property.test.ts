import fc from "fast-check";
import { expect, it } from "vitest";
import type { DomainError } from "./errors.ts";
import { allOperations, operations } from "./operations.ts";
import { parseInput } from "./parse-input.ts";

const fieldName = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.constantFrom("__proto__", "constructor", "toString", "hasOwnProperty", "Id", "ID", "agent_id", "session_key"),
);

function problemsOf(parse: () => unknown): unknown {
  try {
    parse();
  } catch (error) {
    const { code, details } = error as DomainError;
    expect(code).toBe("input.invalid");
    return details.problems;
  }
  return "accepted";
}

/** As JSON brings it: every key is the object's own, whatever its name. */
function withField(body: unknown, name: string, value: unknown): unknown {
  return Object.fromEntries([...Object.entries(body as object), [name, value]]);
}

it("refuses a field that the operation does not have, by its name, for every operation [CORE-6]", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...allOperations()),
      fieldName,
      fc.jsonValue({ maxDepth: 1 }),
      (operation, name, value) => {
        fc.pre(!Object.hasOwn(operation.input.shape, name));
        const problems = problemsOf(() => parseInput(operation, withField(operation.example, name, value)));
        expect(problems).toEqual([{ path: name, message: "is not a field of this operation" }]);
      },
    ),
    { numRuns: 1000 },
  );
});

it("refuses an unknown field inside another one by its whole path [CORE-6]", () => {
  const { example } = operations["agent.register"];
  const raw = { ...example, project: { ...example.project, folder: "/srv" } };
  expect(problemsOf(() => parseInput(operations["agent.register"], raw))).toEqual([
    { path: "project.folder", message: "is not a field of this operation" },
  ]);
});

it("answers anything at all with the input or with input.invalid", () => {
  fc.assert(
    fc.property(fc.constantFrom(...allOperations()), fc.anything(), (operation, raw) => {
      const problems = problemsOf(() => parseInput(operation, raw));
      if (problems === "accepted") return;
      expect(problems).not.toEqual([]);
      for (const problem of problems as { path: unknown; message: unknown }[])
        expect([typeof problem.path, typeof problem.message]).toEqual(["string", "string"]);
    }),
    { numRuns: 500 },
  );
});

it("names every field that is wrong, not only the first", () => {
  const raw = { title: "", priority: 9, colour: "red" };
  const problems = problemsOf(() => parseInput(operations["work-item.create"], raw)) as { path: string }[];
  expect(problems.map(({ path }) => path).toSorted()).toEqual(["colour", "priority", "title"]);
});
