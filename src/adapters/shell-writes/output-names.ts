/** Finds the names that a command prints: for `… | xargs rm` and `$(…)`, where it can be known without running it. */
import { posix } from "node:path";
import type { CommandNode, Statement } from "unbash";
import { expandWord } from "./expand-word.ts";
import { type Field, mapped, pattern, plain } from "./field.ts";
import { foundNames } from "./programs/find.ts";
import type { Input } from "./program.ts";
import { readOptions } from "./read-options.ts";
import type { Values } from "./values.ts";

export function outputNames(command: CommandNode | Statement["command"], values: Values, input: Input): Input {
  if (command.type !== "Command" || command.name === undefined) return {};
  const [name, ...args] = [command.name, ...command.args].flatMap((word) =>
    word.type === "Word" ? expandWord(word, values) : [],
  );
  const heredoc = command.redirects.find((redirect) => redirect.type === "HereDoc");
  switch (name?.text) {
    case "echo":
      return { names: args.filter(({ text }, index) => !(index === 0 && /^-[neE]+$/.test(text))), text: textOf(args) };
    case "printf":
      return printed(args);
    case "cat":
      return heredoc !== undefined && args.length === 0 ? lines(heredoc.body.text) : args.length === 0 ? input : {};
    case "ls":
      return listed(args);
    case "find":
      return { names: foundNames(args) };
    case "git":
      return args[0]?.text === "ls-files" && args.length > 1 && !args.some(({ text }) => text.startsWith("-"))
        ? { names: args.slice(1).map(asPathspec) }
        : {};
    case "basename":
      return args.length > 2 || args.length === 0
        ? {}
        : { names: [mapped(args[0]!, (text) => posix.basename(text, args[1]?.text))] };
    case "dirname":
      return args.length === 1 ? { names: [mapped(args[0]!, (text) => posix.dirname(text))] } : {};
    case "pwd":
      return { names: values.valuesOf("PWD") };
    case "sort":
    case "uniq":
    case "head":
    case "tail":
    case "tee":
      return { names: input.names };
    default:
      return {};
  }
}

function textOf(args: readonly Field[]): string | undefined {
  return args.every((one) => one.unknown === undefined && one.glob === undefined)
    ? args.map(({ text }) => text).join(" ")
    : undefined;
}

function printed([format, ...args]: readonly Field[]): Input {
  if (format === undefined) return {};
  if (/^%[sq](?:\\n|\\0|\n| )?$/.test(format.text)) return { names: args };
  if (format.unknown !== undefined || format.text.includes("%")) return {};
  return lines(format.text.replaceAll(String.raw`\n`, "\n").replaceAll(String.raw`\0`, "\n"));
}

function lines(text: string): Input {
  return {
    text,
    names: text
      .split(/\s+/)
      .filter((line) => line !== "")
      .map(plain),
  };
}

function listed(args: readonly Field[]): Input {
  const { operands, has } = readOptions(args);
  const isPlain = operands.length > 0 && !has("l", "R", "s") && operands.every(({ glob }) => glob !== undefined);
  return isPlain ? { names: operands } : {};
}

function asPathspec(field: Field): Field {
  return field.glob === undefined && /[*?[]/.test(field.text)
    ? pattern(field.text.replace(/^\*(?!\*)/, "**/*"))
    : field;
}
