/**
 * Refused input in the words of the command line: `--ttl 0: must be at least 1 s`, never the field of the schema alone.
 *
 *   problems by field ─> the argument or flag that was typed, with its value ─> what it must be ─> the command's example
 */
import { DomainError, invalidInput } from "../../contract/errors.ts";
import { suggestion } from "../../platform/nearest-name.ts";
import type { Command, CommandContext, FlagTerms } from "./command.ts";
import { commonFlags } from "./command.ts";
import { flagName } from "./flag-name.ts";
import { span } from "./wording.ts";

type Problem = { readonly path: string; readonly message: string };
type Typed = Pick<CommandContext, "args" | "flags">;

/** An error of which the command itself made a sentence stays as it is. */
export function asTyped(error: DomainError, command: Command, typed: Typed): DomainError {
  const problems = Array.isArray(error.details.problems) ? (error.details.problems as readonly Problem[]) : [];
  if (problems.length === 0 || !/^[a-z-]+\.[a-z-]+: /.test(error.message)) return error;
  const sentences = problems.slice(0, 5).map((problem) => sentenceOf(problem, command, typed));
  return new DomainError("input.invalid", withExample([...new Set(sentences)].join("; "), command), {
    details: error.details,
    cause: error,
  });
}

function withExample(problem: string, { words, example }: Pick<Command, "words" | "example">): string {
  return `${problem}${problem.endsWith("?") ? "" : "."} For example: ${example} ("sylk ${words} --help" shows more)`;
}

/** Refused before the daemon is asked. */
export function misused(command: Command, problem: string, cause: unknown): DomainError {
  return invalidInput("", problem, { sentence: withExample(problem, command), cause });
}

function sentenceOf({ path, message }: Problem, command: Command, typed: Typed): string {
  const { name, value, terms } = placeOf(path, command, typed);
  const said = meaningOf(message, terms, value);
  const shown = value === undefined || value === "" ? name : `${name} ${quoted(value)}`;
  return said.startsWith("is missing") || said.startsWith("needs") ? `${name} ${said}` : `${shown}: ${said}`;
}

type Place = { readonly name: string; readonly value?: string | undefined; readonly terms?: FlagTerms | undefined };

/** A field is an argument, or a flag, or was made from one of them: then its last name is tried. */
function placeOf(path: string, { arguments: named = [], flags = {} }: Command, typed: Typed): Place {
  const parts = path.split(".");
  for (const field of [parts[0]!, parts.findLast((part) => !/^\d+$/.test(part)) ?? ""]) {
    const at = named.findIndex(({ name }) => name === field);
    if (at >= 0) return { name: `<${field}>`, value: valueOf(typed.args[at], parts[1]) };
    const isTime = field.endsWith("Ms");
    const flag = [flagName(field), ...(isTime ? [`${flagName(field)}-ms`] : [])].find(
      (name) => typed.flags[name] !== undefined,
    );
    const known = flag ?? (flagName(field) in { ...flags, ...commonFlags } ? flagName(field) : undefined);
    if (known !== undefined)
      return { name: `--${known}`, value: valueOf(typed.flags[known], parts[1]), terms: flags[known] };
  }
  return { name: path };
}

/** Of a list the one that is wrong. */
function valueOf(given: unknown, index: string | undefined): string | undefined {
  if (Array.isArray(given)) return String(given[Number(index)] ?? given.join(" "));
  return typeof given === "string" ? given : undefined;
}

function quoted(value: string): string {
  const short = value.length > 60 ? `${value.slice(0, 59)}…` : value;
  return /^[\w@%+=:,./*-]+$/.test(short) ? short : JSON.stringify(short);
}

/** The schema library's sentences, as a person would say them. */
function meaningOf(message: string, terms: FlagTerms | undefined, value: string | undefined): string {
  const isTime = terms?.value === "time" || terms?.optionalValue === "time";
  const amount = (text: string): string => (isTime ? span(Number(text)) : text);
  const rules: readonly [RegExp, (...parts: string[]) => string][] = [
    [/^too small: expected (?:number|int) to be >=?\s*(-?\d+)/, (least) => `must be at least ${amount(least)}`],
    [/^too big: expected (?:number|int) to be <=?\s*(-?\d+)/, (most) => `must be at most ${amount(most)}`],
    [
      /^too small: expected string to have >=(\d+)/,
      (least) => (least === "1" ? "must not be empty" : `must have at least ${least} characters`),
    ],
    [/^too big: expected string to have <=(\d+)/, (most) => `must have at most ${most} characters`],
    [/^too small: expected array to have >=(\d+)/, (least) => `needs at least ${least}`],
    [/^too big: expected array to have <=(\d+)/, (most) => `takes at most ${most}`],
    [/^invalid input: expected [^,]+, received undefined/, () => "is missing"],
    [
      /^invalid input: expected (?:number|int)\b/,
      () => (isTime ? "must be a time such as 30s, 5m or 1h" : "must be a whole number"),
    ],
    [/^invalid option: expected one of (.+)$/, (options) => oneOf(options.replaceAll('"', "").split("|"), value)],
    [/^invalid string: must match pattern/, () => "does not have the right form"],
  ];
  for (const [pattern, say] of rules) {
    const found = pattern.exec(message);
    if (found !== null) return say(...found.slice(1));
  }
  return message;
}

export function oneOf(choices: readonly string[], value: string | undefined): string {
  return `must be one of ${choices.join(", ")}${value === undefined ? "" : suggestion(value, choices)}`;
}
