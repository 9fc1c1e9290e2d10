/** Parsing and help of one command, by commander; only the command that runs is registered. */
import { Command as Parser, CommanderError, Option } from "commander";
import { nearestName } from "../../platform/nearest-name.ts";
import { commonFlags, type Command, type FlagTerms, type FlagValues } from "./command.ts";
import { exitCodeLines } from "./exit-codes.ts";
import type { Output } from "./output.ts";
import { misused, oneOf } from "./usage-errors.ts";

export type ParsedArguments =
  | { readonly args: readonly (string | readonly string[] | undefined)[]; readonly flags: FlagValues }
  | { readonly help: string };

/** Help is as wide as what it is printed on; 80 columns where that is not known. */
export function parseArguments(
  command: Command,
  argv: readonly string[],
  { width }: Pick<Output, "width"> = { width: 80 },
): ParsedArguments {
  const parser = parserOf(command);
  let help: string | undefined;
  parser.configureOutput({
    writeOut: (text) => (help = (help ?? "") + text),
    writeErr: () => {},
    getOutHelpWidth: () => width,
  });
  try {
    parser.parse([...argv], { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError && error.code === "commander.helpDisplayed") return { help: help ?? "" };
    if (error instanceof CommanderError) throw misused(command, problemOf(error, command, argv), error);
    throw error;
  }
  return { args: parser.processedArgs as (string | string[] | undefined)[], flags: typedFlags(command, parser.opts()) };
}

function parserOf(command: Command): Parser {
  const parser = new Parser(`sylk ${command.words}`)
    .description([command.summary, command.details].filter(Boolean).join("\n\n"))
    .exitOverride()
    .showSuggestionAfterError(false);
  for (const { name, describe, required, variadic } of command.arguments ?? []) {
    const inner = variadic ? `${name}...` : name;
    parser.argument(required ? `<${inner}>` : `[${inner}]`, describe);
  }
  for (const [name, terms] of Object.entries({ ...commonFlags, ...command.flags }))
    parser.addOption(optionOf(name, terms));
  parser.helpOption("-h, --help", "show this help");
  const codes = exitCodeLines(command.errors).map((line) => `  ${line}`);
  parser.addHelpText("after", ["", "Example:", `  ${command.example}`, "", "Exit codes:", ...codes].join("\n"));
  return parser;
}

function optionOf(name: string, { describe, value, optionalValue, repeat, short, choices, hidden }: FlagTerms): Option {
  const required = value === undefined ? "" : ` <${value}${repeat ? "..." : ""}>`;
  const placeholder = optionalValue === undefined ? required : ` [${optionalValue}]`;
  const option = new Option(`${short ? `-${short}, ` : ""}--${name}${placeholder}`, describe);
  if (hidden === true) option.hideHelp();
  return choices === undefined ? option : option.choices([...choices]);
}

/** Commander answers in camelCase, and to `--no-…` with a false for the rest; commands use the names people type. */
function typedFlags(command: Command, values: Readonly<Record<string, unknown>>): FlagValues {
  const names = Object.keys({ ...command.flags, ...commonFlags });
  return Object.fromEntries(names.map((name) => [name, typedFlag(name, values)]));
}

function typedFlag(name: string, values: Readonly<Record<string, unknown>>): FlagValues[string] {
  if (name.startsWith("no-")) return values[camelCase(name.slice(3))] === false;
  return values[camelCase(name)] as FlagValues[string];
}

function camelCase(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Commander's refusals, with the word that was typed and the one that was probably meant. */
function problemOf({ code, message }: CommanderError, command: Command, argv: readonly string[]): string {
  const flags = { ...commonFlags, ...command.flags };
  const [, quoted = "", second] = /'([^']*)'(?:[^']*'([^']*)')?/.exec(message) ?? [];
  const flag = quoted.split(/[ ,]+/).findLast((word) => word.startsWith("--")) ?? quoted;
  switch (code) {
    case "commander.unknownOption":
      return `${quoted}: "sylk ${command.words}" has no such flag${meantFlag(quoted, flags)}`;
    case "commander.missingArgument":
      return `<${quoted}> is missing`;
    case "commander.optionMissingArgument":
      return `${flag} needs a value: ${flag} ${/<[^>]*>/.exec(quoted)?.[0] ?? "<value>"}`;
    case "commander.invalidArgument":
      return `${flag} ${second}: ${oneOf(flags[flag.slice(2)]?.choices ?? [], second)}`;
    case "commander.excessArguments":
      return excess(command, argv);
    default:
      return message
        .replace(/^error: /, "")
        .replaceAll("\n", " ")
        .replace(/\.$/, "");
  }
}

/** Flags that other tools have by another name. */
const foreignFlags: Readonly<Record<string, readonly string[]>> = {
  "--cwd": ["folder"],
  "--dir": ["folder"],
  "--directory": ["folder"],
  "--format": ["json"],
  "--output": ["json"],
  "--timeout": ["wait", "ttl"],
  "--follow": ["wait"],
  "--force": ["yes"],
  "--quiet": ["json"],
  "--max": ["limit"],
  "--count": ["limit"],
  "--message": ["reason", "body"],
  "--user": ["as"],
  "--agent": ["as"],
};

function meantFlag(typed: string, flags: Readonly<Record<string, FlagTerms>>): string {
  const names = Object.entries(flags).flatMap(([name, { hidden }]) => (hidden === true ? [] : [`--${name}`]));
  const near = nearestName(typed.replace(/^-+/, "--"), names) ?? known(typed, flags);
  return near === undefined ? "" : `; did you mean ${near}?`;
}

function known(typed: string, flags: Readonly<Record<string, FlagTerms>>): string | undefined {
  const name = foreignFlags[typed]?.find((one) => one in flags);
  return name === undefined ? undefined : `--${name}`;
}

function excess({ words, arguments: named = [] }: Command, argv: readonly string[]): string {
  const plain = argv.filter((word) => !word.startsWith("-"));
  const extra = plain[named.length] ?? plain.at(-1) ?? "";
  const takes =
    named.length === 0
      ? "takes no arguments"
      : `takes ${named.map(({ name, required }) => (required === true ? `<${name}>` : `[${name}]`)).join(" ")}`;
  return `"${extra}" is one word too many: "sylk ${words}" ${takes}; put words with spaces in quotes`;
}
