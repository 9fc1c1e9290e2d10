/**
 * Finds what a command prints, where that can be known without running it: its text, or at least the names in it. For `… | xargs rm`,
 * `$(…)`, `<(…)` and for files that the same command line writes and then runs.
 */
import { posix } from "node:path";
import type { CommandNode, Redirection, Statement } from "unbash";
import { expandText, expandWord } from "./expand-word.ts";
import { asGlob, type Field, joined, mapped, pattern, plain } from "./field.ts";
import { filters } from "./filters.ts";
import { formatted } from "./format-text.ts";
import { foundNames } from "./programs/find.ts";
import type { Input, Patch } from "./program.ts";
import { readOptions } from "./read-options.ts";
import type { Values } from "./values.ts";

type Printing = CommandNode | Statement["command"];

export function outputOf(command: Printing, values: Values, input: Input): Input {
  switch (command.type) {
    case "Command": {
      const own = inputFrom(command.redirects, values) ?? input;
      if (command.name === undefined) return own === input ? {} : own;
      const words = [command.name, ...command.args].flatMap((word) =>
        word.type === "Word" ? expandWord(word, values) : [],
      );
      return printedBy(words, values, own);
    }
    case "Redirected":
      return outputOf(command.command, values, inputFrom(command.redirects, values) ?? input);
    case "Pipeline":
      return command.commands.reduce((piped, one) => outputOf(one, values, piped), input);
    case "Subshell":
    case "BraceGroup":
      return together(command.body.commands.map((one) => outputOf(one.command, values, input)));
    case "AndOr":
      return together(command.commands.map((one) => outputOf(one, values, input)));
    default:
      return {};
  }
}

/** All of it, where each part is known. */
export function together(outputs: readonly Input[]): Input {
  const said = outputs.filter(({ text, names }) => text !== "" || (names ?? []).length > 0);
  if (said.length === 1) return said[0]!;
  const text = said.every((one) => one.text !== undefined) ? said.map((one) => one.text).join("") : undefined;
  const names = said.every((one) => namesIn(one) !== undefined) ? said.flatMap((one) => namesIn(one) ?? []) : undefined;
  return { text, names };
}

function namesIn({ names, text }: Input): readonly Field[] | undefined {
  return names ?? (text === undefined ? undefined : wordsOf(text));
}

function wordsOf(text: string): readonly Field[] {
  return text
    .split(/[\s\0]+/)
    .filter((word) => word !== "")
    .map(plain);
}

function inputFrom(redirects: readonly Redirection[], values: Values): Input | undefined {
  let input: Input | undefined;
  for (const redirect of redirects) {
    if (redirect.type === "HereDoc") input = { text: redirect.body.text };
    else if (redirect.type === "HereString" && redirect.target !== undefined)
      input = asInput(expandText(redirect.target, values));
    else if (redirect.type === "Redirect" && redirect.operator === "<" && redirect.target !== undefined)
      input = { text: values.read(expandText(redirect.target, values)) };
  }
  return input;
}

function asInput(field: Field): Input {
  return field.unknown === undefined && field.glob === undefined ? { text: `${field.text}\n` } : { names: [field] };
}

function isPlain({ unknown, glob }: Field): boolean {
  return unknown === undefined && glob === undefined;
}

const nothing: Input = { text: "", names: [] };
/** Some word without a slash. */
const anyWord: Input = { names: [pattern("*")] };

function printedBy([name, ...args]: readonly Field[], values: Values, input: Input): Input {
  if (name === undefined || name.unknown !== undefined) return {};
  const program = posix.basename(name.text);
  const filter = Object.hasOwn(filters, program) ? filters[program] : undefined;
  if (filter !== undefined) return filter(args, input, values.read);
  switch (program) {
    case "echo":
      return echoed(args);
    case "printf":
      return args[0]?.text === "-v" ? nothing : formatted(args);
    case "cat":
    case "tac":
      return concatenated(args, values, input);
    case "command":
    case "which":
    case "type":
      return { names: readOptions(args).operands.map((one) => mapped(one, (text) => `/usr/bin/${text}`)) };
    case "ls":
      return listed(args);
    case "find":
    case "gfind":
      return { names: foundNames(args) };
    case "git":
      return fromGit(args, values);
    case "grep":
    case "egrep":
    case "fgrep":
    case "zgrep":
    case "rg":
    case "ag":
      return matching(args, program, input);
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
    case "mktemp":
      return madeTemporary(args);
    case "npm":
      return args[0]?.text === "root"
        ? { text: "node_modules\n" }
        : args[0]?.text === "bin"
          ? { text: "node_modules/.bin\n" }
          : {};
    case "seq":
      return counted(args);
    case "tar":
    case "bsdtar":
      return packed(args);
    case "tee":
    case "sponge":
    case "pv":
    case "stdbuf":
      return input;
    case "xargs":
      return readOptions(args, { letters: "IadEnLPs", stopAtOperand: true }).operands[0]?.text === "echo" ? input : {};
    case "date":
    case "hostname":
    case "whoami":
    case "id":
    case "uname":
    case "nproc":
    case "wc":
    case "uuidgen":
    case "arch":
    case "md5sum":
    case "sha256sum":
    case "sha1sum":
    case "expr":
    case "bc":
      return anyWord;
    case "true":
    case "false":
    case ":":
    case "cd":
    case "sleep":
    case "test":
    case "[":
    case "export":
    case "set":
    case "mkdir":
      return nothing;
    default:
      return {};
  }
}

function echoed(args: readonly Field[]): Input {
  const options = args.findIndex(({ text }) => !/^-[neE]+$/.test(text));
  const words = options === -1 ? [] : args.slice(options);
  const flags = args
    .slice(0, options === -1 ? args.length : options)
    .map(({ text }) => text)
    .join("");
  if (!words.every(isPlain)) return { names: words };
  const text = words.map((one) => one.text).join(" ");
  const end = flags.includes("n") ? "" : "\n";
  return {
    text: (flags.includes("e") ? text.replaceAll(String.raw`\n`, "\n").replaceAll(String.raw`\t`, "\t") : text) + end,
  };
}

function concatenated(args: readonly Field[], { read }: Values, input: Input): Input {
  const files = readOptions(args).operands;
  if (files.length === 0) return input;
  return together(files.map((file) => (file.text === "-" ? input : { text: read(file) })));
}

/** `mktemp`, `mktemp -d`, `mktemp src/x.XXXX`: a new name each time. */
function madeTemporary(args: readonly Field[]): Input {
  const { operands, value, has } = readOptions(args, { letters: "p", words: ["tmpdir", "suffix"] });
  const [template = plain("tmp.XXXXXXXXXX")] = operands;
  const folder = value("p", "tmpdir");
  const isHere = operands.length > 0 && folder === undefined && !has("t", "tmpdir");
  const place = isHere ? template : mapped(template, (text) => posix.join(folder?.text || "/tmp", text));
  return place.unknown === undefined ? { names: [pattern(asGlob(place).replace(/X{3,}/g, "*"))] } : {};
}

const mostNumbers = 200;

function counted(args: readonly Field[]): Input {
  const numbers = args.map(({ text }) => Number(text));
  if (numbers.some((one) => !Number.isInteger(one))) return anyWord;
  const [first = 1, step, last] =
    numbers.length === 1 ? [1, 1, numbers[0]!] : numbers.length === 2 ? [numbers[0]!, 1, numbers[1]!] : numbers;
  const all: string[] = [];
  for (let one = first; one <= (last ?? 0) && all.length <= mostNumbers; one += Math.max(1, step ?? 1))
    all.push(String(one));
  return all.length > mostNumbers ? anyWord : { text: `${all.join("\n")}\n` };
}

/** The names that a tar on standard output holds. */
function packed(args: readonly Field[]): Input {
  const [first] = args;
  if (first === undefined || !/^-?[a-zA-Z]*c|^--create/.test(first.text)) return {};
  const { operands } = readOptions(first.text.startsWith("-") ? args : [plain(`-${first.text}`), ...args.slice(1)], {
    letters: "fCTX",
    words: ["file", "directory", "exclude"],
  });
  return { names: operands.flatMap((one) => [one, ...below(one)]) };
}

function listed(args: readonly Field[]): Input {
  const { operands, has } = readOptions(args);
  if (has("l", "s", "R")) return {};
  if (operands.length === 0) return anyWord;
  if (has("d") || operands.every(({ glob }) => glob !== undefined)) return { names: operands };
  // Of a folder the names alone, of a file its own.
  return { names: [...operands.filter(({ text }) => /[^/.]\.\w+$/.test(text)), pattern("*")] };
}

/** Names that git prints, from the folder it runs in: an upper bound. */
function fromGit(all: readonly Field[], values: Values): Input {
  const {
    operands: [action, ...args],
  } = readOptions(all, { letters: "Cc", words: ["git-dir", "work-tree"], stopAtOperand: true });
  const name = action?.text ?? "";
  if (name === "rev-parse") return fromRevParse(args, values);
  const lists = [
    "ls-files",
    "diff",
    "status",
    "ls-tree",
    "diff-tree",
    "diff-index",
    "diff-files",
    "show",
    "grep",
    "log",
  ];
  const isNames =
    name === "ls-files" ||
    (name === "status" && args.some(({ text }) => /^(?:-s|--short|--porcelain)/.test(text))) ||
    args.some(({ text }) => /^(?:--name-only|--name-status|-l|--files-with-matches)$/.test(text));
  const at = args.findIndex(({ text }) => text === "--");
  const paths = at !== -1 ? args.slice(at + 1) : name === "ls-files" ? readOptions(args).operands : [];
  if (name === "archive") return archived(args);
  const patch = isNames ? undefined : patchFrom(name, at === -1 ? args : args.slice(0, at), paths);
  if (patch !== undefined) return { patch };
  if (
    ["describe", "hash-object", "stash", "branch", "symbolic-ref", "config", "merge-base", "rev-list", "log"].includes(
      name,
    ) &&
    !args.some(({ text }) => text.startsWith("--name"))
  )
    return name === "config" ? {} : anyWord;
  if (!lists.includes(name) || !isNames) return {};
  return { names: paths.length === 0 ? [pattern("**")] : paths.flatMap((path) => [asPathspec(path), ...below(path)]) };
}

/** The commits between which it lies: of one commit its own change. Undefined: git prints something else. */
function patchFrom(name: string, args: readonly Field[], paths: readonly Field[]): Patch | undefined {
  const { operands, has } = readOptions(args, { letters: "USGO", words: ["output", "unified"] });
  const isFile = ({ text }: Field): boolean => /^\.{0,2}\/|[^/.]\.[a-zA-Z]\w*$/.test(text) && !text.includes("..");
  const commits = operands
    .filter((one) => !isFile(one))
    .flatMap((one) =>
      one.unknown === undefined ? one.text.split(/\.{2,3}/).map((text) => plain(text || "HEAD")) : [one],
    );
  const own = (commit: Field): readonly Field[] => [mapped(commit, (text) => `${text}^`), commit];
  const files = [...operands.filter(isFile), ...paths];
  if (["diff", "diff-tree", "diff-index", "diff-files"].includes(name)) return { paths: files, commits };
  if (name === "show" && !commits.some(({ text }) => text.includes(":")))
    return { paths: files, commits: (commits.length === 0 ? [plain("HEAD")] : commits).flatMap(own) };
  if (name === "format-patch" && has("stdout")) return { paths: files, commits: commits.flatMap(own) };
  if (name === "stash" && has("p", "patch")) return { paths: [], commits: own(plain(commits[1]?.text ?? "stash@{0}")) };
  return undefined;
}

/** `git archive HEAD src`: the names that the archive on standard output holds. */
function archived(args: readonly Field[]): Input {
  const { operands, value, has } = readOptions(args, { letters: "o", words: ["output", "prefix", "format", "remote"] });
  if (has("o", "output", "remote")) return {};
  const paths = operands.slice(1);
  const names = paths.length === 0 ? [pattern("**")] : paths.flatMap((one) => [one, ...below(one)]);
  const prefix = value("prefix");
  return { names: prefix === undefined ? names : names.map((one) => joined(prefix, one)) };
}

function fromRevParse(args: readonly Field[], values: Values): Input {
  if (args[0]?.text === "--show-toplevel") {
    const root = values.root();
    return root === undefined ? {} : { names: [plain(root)] };
  }
  if (args[0]?.text === "--git-dir") return { text: ".git\n" };
  return args[0]?.text.startsWith("--show") ? {} : anyWord;
}

/** `grep -rl word src`: files below what is named; without `-l` lines of its input. */
function matching(args: readonly Field[], name: string, input: Input): Input {
  const { operands, has } = readOptions(args, {
    letters: "eABCmfgtT",
    words: ["regexp", "glob", "type", "include", "exclude"],
  });
  const places = has("e", "regexp", "f", "files") ? operands : operands.slice(1);
  if (!has("l", "files-with-matches", "L", "files-without-match", "files"))
    return places.length === 0 && !has("r", "R", "recursive", "c", "o") ? { names: namesIn(input) } : {};
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
