import fc from "fast-check";
import { expect, expectTypeOf, it } from "vitest";
import type * as z from "zod";
import { anything, bool, choice, defineSkill, int, list, optional, record, text } from "./define-skill.ts";

const findFiles = defineSkill({
  name: "find_files",
  description: "Finds files by name.",
  domain: "code",
  keywords: ["find", "file"],
  tier: "core",
  parameters: {
    path: text("Where to look"),
    depth: optional(int("How deep")),
    hidden: optional(bool("Hidden files too")),
    type: choice(["file", "dir"], "What to find"),
    names: optional(list(text("A name"), "Names to find")),
    within: optional(record({ from: int("First"), to: optional(int("Last")) }, "Which of them")),
    more: optional(anything("Whatever else")),
  },
});

it("yields a JSON schema with types, descriptions, what is required, and nothing more [SKILL-11]", () => {
  expect(findFiles.inputSchema).toMatchObject({
    type: "object",
    required: ["path", "type"],
    additionalProperties: false,
    properties: {
      path: { type: "string", description: "Where to look" },
      depth: { type: "integer", description: "How deep" },
      hidden: { type: "boolean" },
      type: { type: "string", enum: ["file", "dir"] },
      names: { type: "array", items: { type: "string" } },
      within: { type: "object", required: ["from"], additionalProperties: false },
      more: { type: "object", description: "Whatever else" },
    },
  });
  expect(JSON.parse(findFiles.prompt)).toEqual({
    name: "find_files",
    description: "Finds files by name.",
    inputSchema: findFiles.inputSchema,
  });
});

it("types its input and tells all problems at once [SKILL-11]", () => {
  const input = findFiles.parse({ path: "src", type: "dir", depth: 2 });
  expectTypeOf(input.path).toEqualTypeOf<string>();
  expectTypeOf(input.type).toEqualTypeOf<"file" | "dir">();
  expectTypeOf(input.depth).toEqualTypeOf<number | undefined>();
  expect(input).toEqual({ path: "src", type: "dir", depth: 2 });
  expect(() => findFiles.parse({ path: 1, type: "link", extra: true, depth: 1.5 })).toThrow(
    expect.objectContaining({
      code: "input.invalid",
      message: expect.stringMatching(/^find_files: .*path.*depth.*type.*extra/s) as string,
    }),
  );
  for (const wrong of [undefined, null, [], "x", 3]) expect(() => findFiles.parse(wrong)).toThrow(/find_files/);
  for (const field of [{ more: 3 }, { within: {} }, { within: { from: 1, extra: 2 } }, { names: [1] }])
    expect(() => findFiles.parse({ path: "src", type: "dir", ...field }), JSON.stringify(field)).toThrow(
      /find_files: /,
    );
});

type Schema = {
  readonly type: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
};

/** As far as JSON schema goes here; whatever is not a property is refused. */
function isValid({ type, enum: values, items, required = [], properties = {} }: Schema, value: unknown): boolean {
  if (type === "integer") return Number.isSafeInteger(value);
  if (type === "array") return Array.isArray(value) && value.every((each) => isValid(items!, each));
  if (type !== "object") return typeof value === type && (values?.includes(value) ?? true);
  const fields = Object.entries(value as object);
  return (
    required.every((name) => Object.hasOwn(value as object, name)) &&
    fields.every(([name, field]) => Object.hasOwn(properties, name) && isValid(properties[name]!, field))
  );
}

it("accepts exactly what its own JSON schema accepts [SKILL-11]", () => {
  const kinds = {
    text: text("t"),
    int: int("i"),
    bool: bool("b"),
    choice: choice(["a", "b"], "c"),
    list: list(int("i"), "l"),
  };
  const fits = (kind: keyof typeof kinds, value: unknown): boolean =>
    ({
      text: typeof value === "string",
      int: Number.isSafeInteger(value),
      bool: typeof value === "boolean",
      choice: value === "a" || value === "b",
      list: Array.isArray(value) && value.every((each) => Number.isSafeInteger(each)),
    })[kind];
  const value = fc.oneof(
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constantFrom("a", "b", "c"),
    fc.array(fc.nat()),
    fc.constant(null),
  );
  const field = fc.record({
    kind: fc.constantFrom(...(Object.keys(kinds) as (keyof typeof kinds)[])),
    isNeeded: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.record({ x: field, y: field }),
      fc.dictionary(fc.constantFrom("x", "y", "z"), value),
      (fields, input) => {
        const parameters: Record<string, z.ZodType> = {};
        for (const [name, { kind, isNeeded }] of Object.entries(fields))
          parameters[name] = isNeeded ? kinds[kind] : optional(kinds[kind]);
        const skill = defineSkill({
          name: "s",
          description: "d",
          domain: "x",
          keywords: ["k"],
          tier: "core",
          parameters,
        });
        const isFit =
          !Object.hasOwn(input, "z") &&
          Object.entries(fields).every(([name, { kind, isNeeded }]) =>
            Object.hasOwn(input, name) ? fits(kind, input[name]) : !isNeeded,
          );
        expect(isValid(skill.inputSchema as Schema, input)).toBe(isFit);
        if (isFit) expect(skill.parse(input)).toEqual({ ...input });
        else expect(() => skill.parse(input)).toThrow(/^s: /);
        expect(skill.inputSchema["required"] ?? []).toEqual(
          Object.entries(fields)
            .filter(([, { isNeeded }]) => isNeeded)
            .map(([name]) => name),
        );
      },
    ),
    { numRuns: 300 },
  );
});

it("refuses a definition that no agent could find or understand", () => {
  const wrong = {
    name: "Bad Name",
    description: " ",
    domain: "",
    keywords: ["?"],
    tier: "core",
    parameters: {},
  } as const;
  expect(() => defineSkill(wrong)).toThrow(
    /its name must be .*; it needs a description; it needs a domain; it needs a key/,
  );
});
