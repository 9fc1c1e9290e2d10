/** Finds the names that a command prints: for `… | xargs rm` and `$(…)`, where it can be known without running it. */
import { posix } from "node:path";
import type { CommandNode, Statement } from "unbash";
import { expandWord } from "./expand-word.ts";
import { asGlob, type Field, mapped, pattern, plain } from "./field.ts";
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
      return fromGit(args);
    case "grep":
    case "egrep":
    case "rg":
    case "ag":
      return matching(args, name.text);
    case "fd":
    case "fdfind":
      return { names: [pattern("**")] };
    case "realpath":
    case "readlink":
      return { names: readOptions(args).operands };
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

/** Names that git prints, from the folder it runs in: an upper bound. */
function fromGit([action, ...args]: readonly Field[]): Input {
  const lists = ["ls-files", "diff", "status", "ls-tree", "diff-tree", "show", "grep"];
  const isNames =
    action?.text === "ls-files" ||
    args.some(({ text }) => /^(?:--name-only|--name-status|-l|--files-with-matches)$/.test(text));
  if (!lists.includes(action?.text ?? "") || !isNames) return {};
  const at = args.findIndex(({ text }) => text === "--");
  const paths = at !== -1 ? args.slice(at + 1) : action?.text === "ls-files" ? readOptions(args).operands : [];
  return { names: paths.length === 0 ? [pattern("**")] : paths.flatMap((path) => [asPathspec(path), ...below(path)]) };
}

/** `grep -rl word src`: files below what is named. */
function matching(args: readonly Field[], name: string): Input {
  const { operands, has } = readOptions(args, {
    letters: "eABCmfgtT",
    words: ["regexp", "glob", "type", "include", "exclude"],
  });
  if (!has("l", "files-with-matches", "L", "files-without-match", "files")) return {};
  const places = has("e", "regexp", "f", "files") ? operands : operands.slice(1);
  if (places.length === 0) return has("r", "R", "recursive") || name !== "grep" ? { names: [pattern("**")] } : {};
  return { names: places.flatMap((place) => [place, ...below(place)]) };
}

/** A name that may be a folder stands for all in it, too. */
function below(path: Field): readonly Field[] {
  if (path.unknown !== undefined || path.glob !== undefined || /[*?[]/.test(path.text)) return [];
  return /[^/.]\.\w+$/.test(path.text) ? [] : [pattern(posix.join(asGlob(path), "**"))];
}

function asPathspec(field: Field): Field {
  return field.glob === undefined && /[*?[]/.test(field.text)
    ? pattern(field.text.replace(/^\*(?!\*)/, "**/*"))
    : field;
}
