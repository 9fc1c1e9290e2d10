/** The arguments and flags that an operation's schema gives to its command. Loads the schemas: imported when they are needed. */
import * as z from "zod";
import type { Operation, OperationName } from "../../contract/index.ts";
import { loadOperation } from "../../contract/calling.ts";
import { defined } from "../../platform/defined.ts";
import type { ArgumentTerms, Explanation, FlagTerms } from "./command.ts";
import { exampleLine } from "./example-line.ts";
import { flagName, isTimeField } from "./flag-name.ts";
import type { Newest } from "./newest.ts";
import type { IdSchema } from "./resolve-id.ts";
import { typedDuration } from "./wording.ts";

export type ShapeTerms = {
  /** Input fields given as plain arguments, in order. */
  readonly fields?: readonly string[];
  /** Those of them that may be left out although they are lists. */
  readonly optional?: readonly string[];
  /** One-letter forms of flags, by input field. */
  readonly short?: Readonly<Record<string, string>>;
  /** Plain arguments that are not fields of the input. */
  readonly arguments?: readonly ArgumentTerms[];
  /** Flags besides those of the input's other fields. */
  readonly flags?: Readonly<Record<string, FlagTerms>>;
  /** Input fields that have no flag of their own. */
  readonly without?: readonly string[];
  /** Taken for the field `id` where none is named. */
  readonly newest?: Newest;
};
type FieldSchema = IdSchema & {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
};
export type Shape = {
  readonly operation: Operation;
  readonly properties: Readonly<Record<string, FieldSchema>>;
  readonly required: readonly string[];
  /** Input fields that are flags. */
  readonly flagFields: readonly string[];
};

export async function shapeOf(name: OperationName, { fields = [], without = [] }: ShapeTerms): Promise<Shape> {
  const operation: Operation = await loadOperation(name);
  const { properties = {}, required = [] } = z.toJSONSchema(operation.input, { io: "input" }) as {
    properties?: Record<string, FieldSchema>;
    required?: string[];
  };
  const flagFields = Object.keys(properties).filter((field) => !fields.includes(field) && !without.includes(field));
  return { operation, properties, required, flagFields };
}

export function explained(
  words: string,
  { operation, properties, required, flagFields }: Shape,
  terms: ShapeTerms,
): Explanation {
  const { fields = [], optional = [], short = {}, newest } = terms;
  const isNeededList = (field: string): boolean => properties[field]?.type === "array" && !optional.includes(field);
  return {
    example: exampleLine(typedExample(operation.example), {
      words,
      fields,
      flagOf: (field) => (flagFields.includes(field) ? flagName(field) : undefined),
    }),
    errors: operation.errors,
    arguments:
      terms.arguments ??
      fields.map((field) =>
        field === "id" && newest !== undefined
          ? newestArgument(properties.id ?? {}, newest)
          : argumentOf(field, properties[field] ?? {}, required.includes(field) || isNeededList(field)),
      ),
    flags: {
      ...Object.fromEntries(flagFields.flatMap((field) => flagsOf(field, properties[field] ?? {}, short[field]))),
      ...terms.flags,
    },
  };
}

function argumentOf(name: string, { type, description = "" }: FieldSchema, required: boolean): ArgumentTerms {
  return { name, describe: description, required, variadic: type === "array" };
}

function newestArgument({ description = "" }: FieldSchema, { what }: Newest): ArgumentTerms {
  return { name: "id", describe: `${description} (default: the newest ${what})` };
}

/** A time has a flag with a unit, and an older one in milliseconds. */
function flagsOf(field: string, schema: FieldSchema, short?: string): readonly [string, FlagTerms][] {
  const name = flagName(field);
  if (!isTimeField(field) || schema.type !== "integer") return [[name, flagOf(schema, short)]];
  const { description = "" } = schema;
  return [
    [name, { describe: `${description.replace(/^Milliseconds until/, "When")}: 30s, 5m`, value: "time" }],
    [`${name}-ms`, { describe: `${description} (milliseconds)`, value: "number", hidden: true }],
  ];
}

/** Times in an operation's example as they are typed. */
function typedExample(example: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const entries = Object.entries(example).map(([field, value]) => [
    field,
    isTimeField(field) && typeof value === "number" ? typedDuration(value) : value,
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

function flagOf({ type, description = "", enum: choices }: FieldSchema, short?: string): FlagTerms {
  return {
    describe: description,
    ...(type === "boolean" ? {} : { value: type === "integer" ? "number" : "value" }),
    ...(type === "array" ? { repeat: true } : {}),
    ...defined({ choices, short }),
  };
}
