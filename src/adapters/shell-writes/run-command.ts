/** One simple command: assignments, redirects, builtins of the shell, functions, and programs of the table. */
import { posix } from "node:path";
import type { Assignment, Command, Function as ShellFunction } from "unbash";
import { expandText } from "./expand-word.ts";
import { type Field, joined, plain } from "./field.ts";
import type { Doings, Input } from "./program.ts";
import { isHarmless, programOf, writeOutputs } from "./programs/index.ts";
import { readOptions } from "./read-options.ts";
import { outputOf } from "./outputs.ts";
import { outputFile, readRedirects } from "./redirects.ts";
import { copyOf, deepest, readIn, type Scope, valuesIn } from "./scope.ts";
import type { Shell } from "./shell.ts";

export function runCommand(command: Command, scope: Scope, shell: Shell, piped: Input): void {
  const assignments = command.prefix.filter((one) => one.type === "Assignment");
  const input = readRedirects(command.redirects, scope, shell) ?? piped;
  if (command.name === undefined) {
    for (const one of assignments) assign(one, scope, shell);
    return;
  }
  // For the program alone; a function or builtin may keep it, which is of no use here.
  const own = assignments.length === 0 ? scope : { ...scope, variables: new Map(scope.variables) };
  for (const one of assignments) assign(one, own, shell);
  const words = command.args.filter((one) => one.type === "Word");
  const expanded = shell.expand([command.name, ...words]);
  const isPrefixed = /^(?:builtin|command)$/.test(expanded[0]?.text ?? "") && !expanded[1]?.text.startsWith("-");
  const argv = isPrefixed ? expanded.slice(1) : expanded;
  const [name, ...args] = argv;
  if (name === undefined) return;
  if (name.unknown !== undefined) return shell.report.doubt(name.unknown, "the program is not known");
  keepFile(command, scope, shell, piped);
  const declared = command.args.filter((one) => one.type === "Assignment");
  if (runBuiltin(name.text, args, declared, scope, shell, input)) return;
  runArgv(argv, own, shell, input);
  scope.cwd = own.cwd;
}

/** A file that a command writes with a known text can be run, or read, by the next one. */
function keepFile(command: Command, scope: Scope, shell: Shell, piped: Input): void {
  if (command.redirects.length === 0) return;
  const file = outputFile(command.redirects, scope, shell);
  if (file === undefined) return;
  const { text } = outputOf(command, shell.quiet, piped);
  const before = file.isAppended ? scope.read(file.path) : "";
  scope.files.set(file.path, { text: text === undefined || before === undefined ? undefined : before + text });
}

function runArgv(argv: readonly Field[], scope: Scope, shell: Shell, input: Input): void {
  const [name, ...args] = argv;
  if (name === undefined || !shell.report.canContinue()) return;
  if (name.unknown !== undefined) return shell.report.doubt(name.unknown, "the program is not known");
  const body = scope.functions.get(name.text);
  if (body !== undefined) return callFunction(body, args, scope, shell, input);
  const alias = scope.aliases.get(name.text);
  if (alias !== undefined) return runAlias(name.text, alias, args, scope, shell);
  const program = posix.basename(name.text);
  const known = programOf(program);
  if (known !== undefined) known(args, doingsFor(program, scope, shell, input), program);
  else if (!isHarmless(name.text)) runUnknown(name, args, scope, shell, input);
}

/** A small script of the tree is read; of any other program only the outputs that it names are known. */
function runUnknown(name: Field, args: readonly Field[], scope: Scope, shell: Shell, input: Input): void {
  const text = name.text.includes("/") ? readIn(name, scope) : undefined;
  const [, interpreter] = /^#!\s*(?:\/usr\/bin\/env\s+(?:-S\s+)?)?(\S+)/.exec(text ?? "") ?? [];
  if (interpreter !== undefined && programOf(posix.basename(interpreter)) !== undefined && scope.depth < deepest)
    return runArgv([plain(interpreter), name, ...args], { ...scope, depth: scope.depth + 1 }, shell, input);
  writeOutputs(args, doingsFor(name.text, scope, shell, input));
  shell.report.program(name.text);
}

/** Its text stands in place of its name; it does not expand itself again. */
function runAlias(name: string, text: string, args: readonly Field[], scope: Scope, shell: Shell): void {
  const inside = { ...copyOf(scope), positional: args };
  inside.aliases.delete(name);
  if (inside.depth > deepest) return shell.report.doubt("the command", "it is nested too deeply");
  shell.walkText(`${text} "$@"`, inside);
}

function callFunction(
  body: ShellFunction["body"],
  args: readonly Field[],
  scope: Scope,
  shell: Shell,
  input: Input,
): void {
  const inside: Scope = { ...copyOf(scope), positional: args, variables: scope.variables };
  shell.walkBody(body, inside, input);
  scope.cwd = inside.cwd;
}

function doingsFor(program: string, scope: Scope, shell: Shell, input: Input): Doings {
  return {
    cwd: scope.cwd,
    input,
    write: (field, { why = program, below = false } = {}) => shell.report.write(field, why, scope.cwd, below),
    link: (place, target) => shell.report.link(place, target, scope.cwd),
    doubt: shell.report.doubt,
    unknownProgram: shell.report.program,
    git: (args) => shell.report.git(args, scope.cwd),
    valueOf: (name) => valuesIn(scope, name)?.[0],
    aliases: scope.aliases,
    read: (file) => (isStandardInput(file) ? input.text : readIn(file, scope)),
    keep: (file, text) => {
      if (file.unknown === undefined && file.glob === undefined && scope.cwd !== undefined)
        scope.files.set(posix.resolve(scope.cwd, file.text), { text });
    },
    run: (argv, { cwd, input: given = input } = {}) => {
      const inside = copyOf(scope);
      if (cwd !== undefined) changeFolder(cwd, inside);
      if (inside.depth > deepest) return shell.report.doubt("the command", "it is nested too deeply");
      runArgv(argv, inside, shell, given);
    },
    shell: (text, positional = []) => shell.walkText(text, { ...copyOf(scope), positional }),
  };
}

function isStandardInput({ text, unknown }: Field): boolean {
  return unknown === undefined && /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/.test(text);
}

const declaring = new Set(["export", "local", "declare", "typeset", "readonly"]);

function runBuiltin(
  name: string,
  args: readonly Field[],
  declared: readonly Assignment[],
  scope: Scope,
  shell: Shell,
  input: Input,
): boolean {
  if (declaring.has(name)) {
    for (const one of declared) assign(one, scope, shell);
    for (const { text } of args)
      if (text.includes("=")) scope.variables.set(text.slice(0, text.indexOf("=")), undefined);
    return true;
  }
  switch (name) {
    case "cd":
    case "pushd":
      if (name === "pushd") scope.stack.push(scope.cwd);
      changeFolder(readOptions(args).operands[0] ?? shell.values.valuesOf("HOME")?.[0], scope);
      return true;
    case "popd":
      scope.cwd = scope.stack.pop();
      return true;
    case "read":
    case "mapfile":
    case "readarray": {
      const lines = input.text?.split("\n").filter((line) => line !== "");
      const { operands } = readOptions(args, { letters: "dinNptuCcO" });
      // In a loop each line is one round: all of them are written.
      for (const [index, { text }] of operands.entries()) {
        const part = (line: string): Field => plain(columnOf(line, index, operands.length));
        scope.variables.set(text, lines?.map(part) ?? (operands.length === 1 ? input.names : undefined));
      }
      return true;
    }
    case "unset":
    case "getopts":
      for (const { text } of readOptions(args, { letters: "dinNptu" }).operands) scope.variables.set(text, undefined);
      return true;
    case "set": {
      const at = args.findIndex(({ text }) => text === "--");
      if (at !== -1) scope.positional = args.slice(at + 1);
      return true;
    }
    case "shift":
      scope.positional = scope.positional?.slice(Number(args[0]?.text ?? 1));
      return true;
    case "eval":
      if (args.some(({ unknown }) => unknown !== undefined)) shell.report.doubt("eval", "its text is not known");
      else evaluate(args.map(({ text }) => text).join(" "), scope, shell);
      return true;
    case "alias":
      for (const { name: alias, value } of declared) {
        const text = value.type === "Word" ? expandText(value, shell.values) : undefined;
        if (text !== undefined && text.unknown === undefined) scope.aliases.set(alias, text.text);
      }
      return true;
    case "source":
    case ".": {
      const [file] = args;
      const text = file === undefined ? undefined : isStandardInput(file) ? input.text : readIn(file, scope);
      if (text === undefined) return false;
      const outer = scope.positional;
      if (args.length > 1) scope.positional = args.slice(1);
      evaluate(text, scope, shell);
      scope.positional = outer;
      return true;
    }
    case "printf":
      if (args[0]?.text === "-v" && args[1] !== undefined) {
        const [format, ...rest] = args.slice(2);
        scope.variables.set(args[1].text, format === undefined ? undefined : formatted(format, rest));
      }
      return true;
    case "trap":
      if (args[0] !== undefined && args.length > 1 && args[0].unknown === undefined)
        shell.walkText(args[0].text, copyOf(scope));
      return true;
    default:
      return false;
  }
}

/** `read a b` gives the last name the rest of the line. */
function columnOf(line: string, index: number, count: number): string {
  if (count === 1) return line.trim();
  const words = line.trim().split(/\s+/);
  return index === count - 1 ? words.slice(index).join(" ") : (words[index] ?? "");
}

/** `%s/%s`, no other signs. */
function formatted(format: Field, args: readonly Field[]): readonly Field[] | undefined {
  const pieces = format.unknown === undefined ? format.text.split("%s") : [];
  if (pieces.length - 1 !== args.length || pieces.some((piece) => /[%\\]/.test(piece))) return undefined;
  return [pieces.slice(1).reduce((all, piece, at) => joined(joined(all, args[at]!), plain(piece)), plain(pieces[0]!))];
}

/** In the same shell: what it changes stays. */
function evaluate(text: string, scope: Scope, shell: Shell): void {
  const inside = { ...scope, depth: scope.depth + 1 };
  shell.walkText(text, inside);
  scope.cwd = inside.cwd;
  scope.positional = inside.positional;
}

function changeFolder(to: Field | undefined, scope: Scope): void {
  const from = scope.cwd;
  if (to?.text === "-" && to.unknown === undefined) scope.cwd = scope.previous;
  else if (to === undefined || to.unknown !== undefined || to.glob !== undefined) scope.cwd = undefined;
  else if (to.text.startsWith("/")) scope.cwd = posix.resolve(to.text);
  else scope.cwd = from === undefined ? undefined : posix.resolve(from, to.text);
  scope.previous = from;
}

function assign({ name, value, append, index }: Assignment, scope: Scope, shell: Shell): void {
  const before = scope.variables.get(name);
  if (value.type === "ArrayValue") {
    const elements = shell.expand(value.elements);
    scope.variables.set(name, append === true ? before && [...before, ...elements] : elements);
  } else {
    const field = expandText(value, shell.values);
    if (index !== undefined) scope.variables.set(name, undefined);
    else if (append !== true) scope.variables.set(name, [field.glob === undefined ? field : plain(field.text)]);
    else scope.variables.set(name, before?.length === 1 ? [joined(before[0]!, field)] : undefined);
  }
}
