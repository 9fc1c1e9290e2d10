/**
 * A command made from an operation: its summary, flags and validation come from the contract; the command adds which
 * fields are typed without a flag, and how a person wants to see the result. Typed alone it loads no schema.
 */
import type { OperationName, OutputOf } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { CommandContext, FlagValues, WrittenCommand } from "./command.ts";
import { flagName, isTimeField } from "./flag-name.ts";
import type { SylkClient } from "../client/index.ts";
import { chooseNewest } from "./newest.ts";
import type { Shape, ShapeTerms } from "./operation-shape.ts";
import type { Output } from "./output.ts";
import { printable } from "./printable.ts";
import { resolveIds } from "./resolve-id.ts";
import { duration } from "./wording.ts";

type Fields = Record<string, unknown>;
type CommandTerms<Name extends OperationName> = ShapeTerms & {
  /** Where the operation's own example, typed as a command, would not show what a person wants. */
  readonly example?: string;
  readonly details?: string;
  /** Last change to the input before it is sent. */
  readonly adjust?: (input: Fields, context: CommandContext) => Fields | Promise<Fields>;
  /** Where the answer may come from elsewhere than from a daemon. */
  readonly connect?: (context: CommandContext) => Promise<SylkClient>;
  /** What is shown while it takes longer than a moment. */
  readonly progress?: string;
  /** Where a result that was got may still be bad news. */
  readonly exitCode?: (result: OutputOf<Name>) => number;
  readonly print: (result: OutputOf<Name>, out: Output, context: CommandContext) => void;
};

const noFields: Pick<Shape, "properties" | "flagFields"> = { properties: {}, flagFields: [] };

export function operationCommand<Name extends OperationName>(name: Name, terms: CommandTerms<Name>): WrittenCommand {
  const { fields = [], print, adjust = (input: Fields) => input } = terms;
  let loading: Promise<Shape> | undefined;
  const load = () => import("./operation-shape.ts");
  const shape = (): Promise<Shape> => (loading ??= load().then(({ shapeOf }) => shapeOf(name, terms)));
  const resolved = async (input: Fields, client: SylkClient, isForProgram: boolean): Promise<Fields> => {
    const { properties } = await shape();
    return resolveIds(input, { properties, asTyped: (field) => asTyped(field, terms), isForProgram }, client);
  };
  return {
    operation: name,
    ...defined({ example: terms.example, details: terms.details }),
    isBare: fields.length === 0 && terms.arguments === undefined,
    explain: async (words) => (await load()).explained(words, await shape(), terms),
    async run(context) {
      const isTypedAlone = fields.length === 0 && Object.keys(context.flags).every((flag) => flag === "json");
      const { properties, flagFields } = isTypedAlone ? noFields : await shape();
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
      const whole = Object.keys(adjusted).length === 0 ? adjusted : await resolved(adjusted, client, context.json);
      const work = client.call(name, whole as never);
      const { progress } = terms;
      const result = await (progress === undefined ? work : context.out.progress(progress, work));
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
