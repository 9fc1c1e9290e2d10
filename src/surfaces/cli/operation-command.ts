/**
 * A command made from an operation: its summary, flags and validation come from the contract; the command adds which
 * fields are typed without a flag, and how a person wants to see the result.
 */
import * as z from "zod";
import type { Operation, OperationName, OutputOf } from "../../contract/index.ts";
import { loadOperation } from "../../contract/calling.ts";
import { defined } from "../../platform/defined.ts";
import type { ArgumentTerms, CommandContext, Explanation, FlagTerms, FlagValues, WrittenCommand } from "./command.ts";
import { exampleLine } from "./example-line.ts";
import { flagName, isTimeField } from "./flag-name.ts";
import type { SylkClient } from "../client/index.ts";
import { chooseNewest, type Newest } from "./newest.ts";
import { type IdSchema, resolveIds } from "./resolve-id.ts";
import type { Output } from "./output.ts";
import { printable } from "./printable.ts";
import { duration, typedDuration } from "./wording.ts";

type Fields = Record<string, unknown>;
type CommandTerms<Name extends OperationName> = {
  /** Where the operation's own example, typed as a command, would not show what a person wants. */
  readonly example?: string;
  readonly details?: string;
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
  /** Last change to the input before it is sent. */
  readonly adjust?: (input: Fields, context: CommandContext) => Fields | Promise<Fields>;
  /** Where the answer may come from elsewhere than from a daemon. */
  readonly connect?: (context: CommandContext) => Promise<SylkClient>;
  /** Where a result that was got may still be bad news. */
  readonly exitCode?: (result: OutputOf<Name>) => number;
  readonly print: (result: OutputOf<Name>, out: Output, context: CommandContext) => void;
};
type FieldSchema = IdSchema & {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
};

export function operationCommand<Name extends OperationName>(name: Name, terms: CommandTerms<Name>): WrittenCommand {
  const { fields = [], print, adjust = (input: Fields) => input } = terms;
  let loading: Promise<Shape> | undefined;
  const shape = (): Promise<Shape> => (loading ??= shapeOf(name, terms));
  return {
    operation: name,
    ...defined({ example: terms.example, details: terms.details }),
    explain: async (words) => explained(words, await shape(), terms),
    async run(context) {
      const { properties, flagFields } = await shape();
      const fromFlags = flagFields.map((field) => [field, valueOf(field, context.flags, properties[field]?.type)]);
      const fromArguments = fields.map((field, index) => [field, context.args[index]]);
      const input = Object.fromEntries(
        [...fromFlags, ...fromArguments].filter(([, value]) => value !== undefined),
      ) as Fields;
      if (terms.newest !== undefined && input.id === undefined) {
        const id = await chooseNewest(terms.newest, "<id>", context);
        if (id === undefined) return declined(context);
        input.id = id;
      }
      const adjusted = await adjust(input, context);
      const client = await (terms.connect?.(context) ?? context.connect());
      const named = { properties, asTyped: (field: string) => asTyped(field, terms), isForProgram: context.json };
      const whole = await resolveIds(adjusted, named, client);
      const result = await client.call(name, whole as never);
      if (context.json) context.out.json(result);
      else print(printable(result), context.out, context);
      return terms.exitCode?.(result);
    },
  };
}

function declined({ out }: CommandContext): number {
  out.line("Nothing was changed");
  return 1;
}

function asTyped(field: string, { fields = [], without = [], flags = {} }: ShapeTerms): string {
  if (fields.includes(field)) return `<${field}>`;
  return without.includes(field) && "session" in flags ? "--session" : `--${flagName(field)}`;
}

type Shape = {
  readonly operation: Operation;
  readonly properties: Readonly<Record<string, FieldSchema>>;
  readonly required: readonly string[];
  /** Input fields that are flags. */
  readonly flagFields: readonly string[];
};
type ShapeTerms = Pick<
  CommandTerms<never>,
  "fields" | "newest" | "optional" | "short" | "without" | "arguments" | "flags"
>;

async function shapeOf(name: OperationName, { fields = [], without = [] }: ShapeTerms): Promise<Shape> {
  const operation: Operation = await loadOperation(name);
  const { properties = {}, required = [] } = z.toJSONSchema(operation.input, { io: "input" }) as {
    properties?: Record<string, FieldSchema>;
    required?: string[];
  };
  const flagFields = Object.keys(properties).filter((field) => !fields.includes(field) && !without.includes(field));
  return { operation, properties, required, flagFields };
}

function explained(
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

function valueOf(field: string, flags: FlagValues, type: string | undefined): unknown {
  const given = flags[flagName(field)];
  if (!isTimeField(field) || type !== "integer") return typed(given, type);
  return typeof given === "string" ? duration(given) : typed(flags[`${flagName(field)}-ms`], type);
}

/** What does not read as a number stays text, so that the daemon names the field it refuses. */
function typed(value: FlagValues[string], type: string | undefined): unknown {
  return type === "integer" && typeof value === "string" && /^-?\d{1,16}(\.\d{1,16})?$/.test(value)
    ? Number(value)
    : value;
}
