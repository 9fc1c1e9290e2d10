import { expect, it } from "vitest";
import * as z from "zod";
import { forUser } from "../../contract/index.ts";
import { toolSchema } from "./tool-schema.ts";

it("drops limits at every depth and keeps fields that are called like keywords", () => {
  const input = z.strictObject({
    pattern: z.string().max(9).describe("A glob"),
    places: z.array(z.strictObject({ maxLength: z.int(), id: z.string().regex(/^x/) })).default([]),
    either: z.union([z.string().min(2), z.int().min(0).max(4)]).optional(),
  });
  expect(toolSchema({ input })).toEqual({
    type: "object",
    properties: {
      pattern: { type: "string", description: "A glob" },
      places: {
        type: "array",
        items: {
          type: "object",
          properties: { maxLength: { type: "integer" }, id: { type: "string" } },
          required: ["maxLength", "id"],
          additionalProperties: false,
        },
      },
      either: { anyOf: [{ type: "string" }, { type: "integer", minimum: 0, maximum: 4 }] },
    },
    required: ["pattern"],
    additionalProperties: false,
  });
});

it("leaves out what only the user may ask for", () => {
  const input = z.strictObject({
    all: z
      .boolean()
      .optional()
      .meta({ [forUser]: true }),
    limit: z.int().optional(),
  });
  expect(Object.keys(toolSchema({ input }).properties ?? {})).toEqual(["limit"]);
});
