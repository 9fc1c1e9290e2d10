/**
 * JSON schema -> inputs that the schema allows, the edges more often than chance would have them.
 *
 * Ids and paths are what a random text never hits: they come from the world, which knows what is there.
 */
import fc from "fast-check";
import { jsonValue } from "./json-value.ts";

export type Schema = {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
};
/** Texts for a field that must name something: by its name and pattern. Undefined: any text of the schema's kind. */
export type Known = (
  field: string,
  schema: Schema,
  text: (schema: Schema) => fc.Arbitrary<string>,
) => fc.Arbitrary<string> | undefined;

const anyJson = jsonValue({ maxDepth: 2 });
const longestText = 60;
const longestList = 4;

export function validInput(schema: Schema, known: Known, field = ""): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((one) => validInput(one, known, field)));
  switch (schema.type) {
    case "object":
      return objectOf(schema, known);
    case "array":
      return fc.array(validInput(schema.items ?? {}, known, field), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? longestList, Math.max(longestList, schema.minItems ?? 0)),
      });
    case "integer":
      return wholeNumber(schema);
    case "number":
      return fc.double({ noNaN: true, noDefaultInfinity: true, min: schema.minimum ?? 0 });
    case "boolean":
      return fc.boolean();
    case "string":
      return known(field, schema, text) ?? text(schema);
    default:
      return anyJson;
  }
}

function objectOf(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
  if (typeof additionalProperties === "object")
    return fc.dictionary(text(propertyNames ?? {}), validInput(additionalProperties, known), { maxKeys: 3 });
  const fields = Object.entries(properties).map(([name, one]) => [name, validInput(one, known, name)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...required], noNullPrototype: true });
}

function wholeNumber({ minimum, exclusiveMinimum, maximum = Number.MAX_SAFE_INTEGER }: Schema): fc.Arbitrary<number> {
  const min = minimum ?? (exclusiveMinimum === undefined ? Number.MIN_SAFE_INTEGER : exclusiveMinimum + 1);
  return fc.oneof(fc.constantFrom(min, maximum), fc.integer({ min, max: Math.min(maximum, min + 100) }));
}

/** Making one takes a thousand times as long as using it. */
const madeTexts = new Map<string, fc.Arbitrary<string>>();

function text(schema: Schema): fc.Arbitrary<string> {
  const key = JSON.stringify(schema);
  const known = madeTexts.get(key) ?? makeText(schema);
  madeTexts.set(key, known);
  return known;
}

function makeText({ pattern, format, minLength = 0, maxLength = longestText }: Schema): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  if (format === "uri") return fc.constantFrom("http://127.0.0.1:9/v1", "http://localhost:9");
  const size = { minLength, maxLength: Math.min(maxLength, Math.max(longestText, minLength)) };
  return fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: "grapheme", ...size }) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", ...size }).filter((value) => value.isWellFormed()) },
    { weight: 1, arbitrary: fc.constant("y".repeat(Math.min(maxLength, 5_000))) },
  );
}
