/** One simple command: assignments, redirects, builtins of the shell, functions, and programs of the table. */
import { posix } from "node:path";
import type { Assignment, Command, Function as ShellFunction } from "unbash";
import { expandText } from "./expand-word.ts";
import { type Field, joined, mapped, plain } from "./field.ts";
import type { Doings, Input } from "./program.ts";
import { harmOf, isHarmless, programOf, writeOutputs } from "./programs/index.ts";
import { readOptions } from "./read-options.ts";
import { outputOf } from "./outputs.ts";
import { outputFile, readRedirects } from "./redirects.ts";
import { blanks, wordsBetween } from "./split-words.ts";
import { copyOf, deepest, readIn, refer, type Scope, separatorsIn, setVariable, valuesIn } from "./scope.ts";
import type { Shell } from "./shell.ts";

export function runCommand(command: Command, scope: Scope, shell: Shell, piped: Input): void {
  const assignments = command.prefix.filter((one) => one.type === "Assignment");
  const input = readRedirects(command.redirects, scope, shell) ?? piped;
  if (command.name === undefined) {
    for (const one of assignments) assign(one, scope, shell);
    return;
  }
  for (const one of assignments) startEditors(one, scope, shell);
  // For the program alone; a function or builtin may keep it, which is of no use here.
  const own = assignments.length === 0 ? scope : { ...scope, variables: new Map(scope.variables) };
  for (const one of assignments) assign(one, own, shell);
  const words = command.args.filter((one) => one.type === "Word");
  const expanded = shell.expand([command.name, ...words]);
  const isPrefixed = /^(?:builtin|command)$/.test(expanded[0]?.text ?? "") && !expanded[1]?.text.startsWith("-");
  const argv = isPrefixed ? expanded.slice(1) : expanded;
  const visible = isPrefixed ? "programs" : "all";
  const [name, ...args] = argv;
  if (name === undefined) return;
  if (name.unknown !== undefined) return shell.report.doubt(name.unknown, "the program is not known");
  keepFile(command, scope, shell, piped);
  const declared = command.args.filter((one) => one.type === "Assignment");
  if (
    (isPrefixed || !scope.functions.has(name.text)) &&
    runBuiltin(name.text, args, declared, scope, shell, input, own)
  )
    return;
  runArgv(argv, own, shell, input, visible);
  scope.cwd = own.cwd;
}

/** Programs that others start: editors, pagers, hooks of interpreters. */
const starting =
  /^(?:EDITOR|VISUAL|FCEDIT|PAGER|MANPAGER|BROWSER|LESSOPEN|LESSCLOSE|PROMPT_COMMAND|GIT_EDITOR|GIT_SEQUENCE_EDITOR|GIT_PAGER|GIT_EXTERNAL_DIFF|GIT_SSH_COMMAND|GIT_SSH|GIT_ASKPASS|SSH_ASKPASS|GIT_PROXY_COMMAND|SUDO_ASKPASS|RSYNC_RSH|CC|CXX|SHELL)$/;
const loading =
  /^(?:BASH_ENV|ENV|PERL5OPT|RUBYOPT|PYTHONSTARTUP|NODE_OPTIONS|LD_PRELOAD|LD_LIBRARY_PATH|MAKEFLAGS|TAR_OPTIONS|GIT_CONFIG_\w+|GIT_TEMPLATE_DIR|PYTHONPATH|PERL5LIB|NODE_PATH|PATH|RIPGREP_CONFIG_PATH|GREP_OPTIONS|VIMINIT|EXINIT|JAVA_TOOL_OPTIONS)$/;

/** A variable that names a program is one that will be started; what others load is not looked into. */
function startEditors({ name, value }: Assignment, scope: Scope, shell: Shell): void {
  if (value.type !== "Word" || !(starting.test(name) || loading.test(name))) return;
  const field = expandText(value, shell.values);
  if (starting.test(name) && field.unknown === undefined && scope.depth < deepest)
    shell.walkText(field.text, copyOf(scope));
  const isHarmlessValue =
    name === "PATH" ||
    /^(?:cat|less|more|true|:|vi|vim|nano|code.*|--(?:max[-_]old|no-warn|enable-source|experimental|trace|inspect)[^\s]*|-j\S*|)$/.test(
      field.text,
    );
  if (loading.test(name) && !isHarmlessValue) shell.report.doubt(name, "what it loads is not known");
}

/** A file that a command writes with a known text can be run, or read, by the next one. */
function keepFile(command: Command, scope: Scope, shell: Shell, piped: Input): void {
  if (command.redirects.length === 0) return;
  const file = outputFile(command.redirects, scope, shell);
  if (file === undefined) return;
  const { text, patch } = outputOf(command, shell.quiet(), piped);
  const before = file.isAppended ? scope.read(file.path) : "";
  scope.files.set(
    file.path,
    patch !== undefined && !file.isAppended
      ? { patch }
      : { text: text === undefined || before === undefined ? undefined : before + text },
  );
}

/** `programs`: behind `command`, and for another program, a function or alias does not hide the program of its name. */
type Visible = "all" | "programs";

function runArgv(argv: readonly Field[], scope: Scope, shell: Shell, input: Input, visible: Visible = "all"): void {
  const [name, ...args] = argv;
  if (name === undefined || !shell.report.canContinue()) return;
  if (name.unknown !== undefined) return shell.report.doubt(name.unknown, "the program is not known");
  if (visible === "all" || !isProgram(name)) {
    const body = scope.functions.get(name.text);
    if (body !== undefined) return callFunction(body, args, scope, shell, input);
    const alias = scope.aliases.get(name.text);
    if (alias !== undefined) return runAlias(name.text, alias, args, scope, shell);
  }
  const program = posix.basename(name.text);
  const known = isOwnFile(name) ? undefined : programOf(program);
  const doings = doingsFor(program, scope, shell, input);
  if (known !== undefined) {
    const before = shell.report.count();
    known(args, doings, program);
    writeOutputs(args, doings, false);
    // Nothing was found, but an argument that is not known may be an option that writes.
    const open = args.find(({ text, unknown, guess }) => (unknown ?? guess) !== undefined && /^(?:-|$)/.test(text));
    if (open !== undefined && program !== "git" && shell.report.count() === before)
      shell.report.doubt(program, `its argument ${open.unknown ?? open.guess} is not known`);
  } else if (!isHarmless(name.text)) runUnknown(name, args, scope, shell, input);
  else {
    const harm = harmOf(program, args);
    if (harm === undefined) return;
    writeOutputs(args, doings);
    shell.report.doubt(program, `${harm} may write, or start another program`);
  }
}

function isProgram({ text }: Field): boolean {
  return programOf(posix.basename(text)) !== undefined || isHarmless(text);
}

/** `./sort` is a file of the tree, not the program of that name; tools of the project are what they are called. */
function isOwnFile({ text }: Field): boolean {
  return (
    text.includes("/") &&
    !/^\/(?:usr\/|opt\/|bin\/|sbin\/|nix\/|home\/[^/]+\/\.)|(?:^|\/)(?:node_modules\/\.bin|\.?venv\/bin|vendor\/bin)\//.test(
      text,
    )
  );
}

/** A small script of the tree is read; of any other program only the outputs that it names are known. */
function runUnknown(name: Field, args: readonly Field[], scope: Scope, shell: Shell, input: Input): void {
  const text = name.text.includes("/") ? readIn(name, scope) : undefined;
  const [, interpreter] = /^#!\s*(?:\/usr\/bin\/env\s+(?:-S\s+)?)?(\S+)/.exec(text ?? "") ?? [];
  if (interpreter !== undefined && programOf(posix.basename(interpreter)) !== undefined && scope.depth < deepest)
    return runArgv([plain(interpreter), name, ...args], { ...scope, depth: scope.depth + 1 }, shell, input);
  const doings = doingsFor(name.text, scope, shell, input);
  writeOutputs(args, doings);
  runInside(args, scope, shell);
  shell.report.program(name.text);
}

/** An unknown program may be a wrapper: what looks like another command in its arguments is read as well. */
function runInside(args: readonly Field[], scope: Scope, shell: Shell): void {
  if (scope.depth > deepest) return;
  const inside = copyOf(scope);
  const at = args.findIndex(({ text, unknown }) => unknown === undefined && writing.has(posix.basename(text)));
  if (at !== -1) runArgv(args.slice(at), inside, shell, {});
  for (const { text, unknown } of args) {
    const [, first = ""] = /^(?:(?:shell|!|exec|sh|system)\s+)?([\w./-]+)\s+\S/.exec(text) ?? [];
    if (unknown === undefined && writing.has(posix.basename(first)))
      shell.walkText(text.replace(/^(?:shell|!|system)\s*/, ""), copyOf(scope));
  }
}

/** Names of programs that are hardly anything else in the arguments of another one. */
const writing = new Set(
  "rm mv cp tee sed dd truncate touch ln install rsync git bash sh zsh python python3 node perl ruby awk tar unzip patch chmod shred xargs find npx npm make env sudo".split(
    " ",
  ),
);

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
    write: (field, { why = program, ...manner } = {}) => shell.report.write(field, why, scope.cwd, manner),
    link: (place, target) => shell.report.link(place, target, scope.cwd),
    doubt: shell.report.doubt,
    unknownProgram: shell.report.program,
    git: (args) => shell.report.git(args, scope.cwd),
    changeRepository: shell.report.changeRepository,
    valueOf: (name) => valuesIn(scope, name)?.[0],
    aliases: scope.aliases,
    read: (file) => (isStandardInput(file) ? input.text : readIn(file, scope)),
    keep: (file, text) => {
      if (file.unknown === undefined && file.glob === undefined && scope.cwd !== undefined)
        scope.files.set(posix.resolve(scope.cwd, file.text), { text });
    },
    kept: ({ text, unknown }) =>
      unknown === undefined && scope.cwd !== undefined ? scope.files.get(posix.resolve(scope.cwd, text)) : undefined,
    written: ({ text }) => scope.cwd !== undefined && scope.files.has(posix.resolve(scope.cwd, text)),
    packed: (archive) => {
      const isKnown = archive.unknown === undefined && archive.glob === undefined && scope.cwd !== undefined;
      return isKnown ? scope.packed(posix.resolve(scope.cwd!, archive.text)) : undefined;
    },
    run: (argv, { cwd, input: given = input, assignments = [] } = {}) => {
      const inside = copyOf(scope);
      for (const one of assignments) {
        const at = one.text.indexOf("=");
        inside.variables.set(one.text.slice(0, at), [mapped(one, (text) => text.slice(at + 1))]);
      }
      if (cwd !== undefined) changeFolder(cwd, inside);
      if (inside.depth > deepest) return shell.report.doubt("the command", "it is nested too deeply");
      runArgv(argv, inside, shell, given, "programs");
    },
    shell: (text, positional = []) => shell.walkText(text, { ...copyOf(scope), positional }),
  };
}

function isStandardInput({ text, unknown }: Field): boolean {
  return unknown === undefined && /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/.test(text);
}

const declaring = new Set(["export", "local", "declare", "typeset", "readonly"]);
const referring = new Set(["local", "declare", "typeset"]);

/** `declare -n name=variable`; without a value the name's first one is the variable. */
function declareReferences(args: readonly Field[], declared: readonly Assignment[], scope: Scope, shell: Shell): void {
  for (const { text } of args) if (/^[A-Za-z_]\w*$/.test(text)) refer(scope, text, "");
  for (const { name, value } of declared) {
    const target = value.type === "Word" ? expandText(value, shell.values) : undefined;
    const isKnown = target !== undefined && (target.unknown ?? target.glob) === undefined;
    if (isKnown) refer(scope, name, target.text);
    else scope.variables.set(name, undefined);
  }
}

function runBuiltin(
  name: string,
  args: readonly Field[],
  declared: readonly Assignment[],
  scope: Scope,
  shell: Shell,
  input: Input,
  own: Scope,
): boolean {
  if (declaring.has(name)) {
    const isReference = referring.has(name) && args.some(({ text }) => /^-[a-zA-Z]*n/.test(text));
    if (isReference) declareReferences(args, declared, scope, shell);
    else for (const one of declared) assign(one, scope, shell);
    for (const { text } of args)
      if (text.includes("=")) setVariable(scope, text.slice(0, text.indexOf("=")), undefined);
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
      const letters = name === "read" ? "dinNptu" : "dnOsuCc";
      const lines = input.text?.split("\n").filter((line) => line !== "");
      const { operands } = readOptions(args, { letters });
      // In a loop each line is one round: all of them are written.
      for (const [index, { text }] of operands.entries()) {
        const part = (line: string): Field => plain(columnOf(line, index, operands.length, separatorsIn(own)));
        setVariable(scope, text, lines?.map(part) ?? (operands.length === 1 ? input.names : undefined));
      }
      return true;
    }
    case "unset":
    case "getopts":
      for (const { text } of readOptions(args, { letters: "dinNptu" }).operands)
        if (name === "unset" && text === "IFS") scope.variables.delete(text);
        else scope.variables.set(text, undefined);
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
        setVariable(scope, args[1].text, format === undefined ? undefined : formatted(format, rest));
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
function columnOf(line: string, index: number, count: number, separators: string | undefined): string {
  const words = wordsBetween(line, separators ?? blanks).filter((word) => word !== "");
  if (count === 1) return words.length === 1 ? words[0]! : line.trim();
  return index === count - 1 ? words.slice(index).join(separators?.[0] ?? " ") : (words[index] ?? "");
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
  scope.references = inside.references;
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
  const before = valuesIn(scope, name);
  if (value.type === "ArrayValue") {
    const elements = shell.expand(value.elements).map((one) => mapped(one, (text) => text.replace(/^\[[^\]]*\]=/, "")));
    setVariable(scope, name, append === true ? before && [...before, ...elements] : elements);
  } else {
    const field = expandText(value, shell.values);
    if (index !== undefined)
      setVariable(
        scope,
        name,
        before === undefined && scope.variables.has(name) ? undefined : [...(before ?? []), field],
      );
    else if (append !== true) setVariable(scope, name, [field.glob === undefined ? field : plain(field.text)]);
    else setVariable(scope, name, before?.length === 1 ? [joined(before[0]!, field)] : undefined);
  }
}
