/** A command line that means the same without a shell: one program, its arguments, quotes. Undefined for anything more. */
import { parse, type WordPart } from "unbash";
import { expandWord } from "./expand-word.ts";
import { isTooTangled } from "./tangled.ts";
import type { Values } from "./values.ts";

const nothingKnown: Values = {
  valuesOf: () => undefined,
  assign: () => {},
  outputOf: () => ({}),
  fileOf: () => ({ text: "", unknown: "<(…)" }),
  separators: () => " \t\n",
  read: () => undefined,
  root: () => undefined,
};
const literal: ReadonlySet<WordPart["type"]> = new Set(["Literal", "SingleQuoted", "DoubleQuoted", "AnsiCQuoted"]);

export function plainArgv(text: string): readonly [string, ...string[]] | undefined {
  if (isTooTangled(text)) return undefined;
  const { commands, errors } = parse(text);
  const [statement] = commands;
  if (commands.length !== 1 || (errors?.length ?? 0) > 0 || statement?.background === true) return undefined;
  const command = statement?.command;
  if (command?.type !== "Command" || command.name === undefined) return undefined;
  if (command.prefix.length > 0 || command.redirects.length > 0) return undefined;
  const words = [command.name, ...command.args.filter((one) => one.type === "Word")];
  if (words.length !== command.args.length + 1) return undefined;
  if (words.some(({ parts = [] }) => parts.some(({ type }) => !literal.has(type)))) return undefined;
  const fields = words.flatMap((word) => expandWord(word, nothingKnown));
  if (fields.some(({ unknown, glob }) => unknown !== undefined || glob !== undefined)) return undefined;
  const [program, ...args] = fields.map((field) => field.text);
  return program === undefined || program === "" ? undefined : [program, ...args];
}
