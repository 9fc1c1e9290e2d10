/** Parsing and help of one command, by commander; only the command that runs is registered. */
import { Command as Parser, CommanderError, Option } from "commander";
import { type DomainError, invalidInput } from "../../contract/errors.ts";
import { commonFlags, type Command, type FlagTerms, type FlagValues } from "./command.ts";
import { exitCodeLines } from "./exit-codes.ts";

export type ParsedArguments =
  | { readonly args: readonly (string | readonly string[] | undefined)[]; readonly flags: FlagValues }
  | { readonly help: string };

export function parseArguments(command: Command, argv: readonly string[]): ParsedArguments {
  const parser = parserOf(command);
  let help: string | undefined;
  parser.configureOutput({ writeOut: (text) => (help = (help ?? "") + text), writeErr: () => {} });
  try {
    parser.parse([...argv], { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError && error.code === "commander.helpDisplayed") return { help: help ?? "" };
    if (error instanceof CommanderError) throw invalidUsage(command, error);
    throw error;
  }
  return { args: parser.processedArgs as (string | string[] | undefined)[], flags: typedFlags(command, parser.opts()) };
}

function parserOf(command: Command): Parser {
  const parser = new Parser(`sylk ${command.words}`)
    .description([command.summary, command.details].filter(Boolean).join("\n\n"))
    .exitOverride()
    .showSuggestionAfterError();
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

function optionOf(name: string, { describe, value, optionalValue, repeat, short, choices }: FlagTerms): Option {
  const required = value === undefined ? "" : ` <${value}${repeat ? "..." : ""}>`;
  const placeholder = optionalValue === undefined ? required : ` [${optionalValue}]`;
  const option = new Option(`${short ? `-${short}, ` : ""}--${name}${placeholder}`, describe);
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

function invalidUsage({ words, example }: Command, error: CommanderError): DomainError {
  const reason = error.message
    .replace(/^error: /, "")
    .replaceAll("\n", " ")
    .replace(/\.$/, "");
  return invalidInput("", reason, {
    sentence: `${reason}. For example: ${example} ("sylk ${words} --help" shows more)`,
    cause: error,
  });
}
