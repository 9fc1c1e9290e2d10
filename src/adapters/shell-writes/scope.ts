/** The state of a running shell: its folder, variables, functions, arguments. A subshell gets a copy. */
import { posix } from "node:path";
import type { Function as ShellFunction } from "unbash";
import { type Field, pattern, plain } from "./field.ts";
import type { Input } from "./program.ts";
import type { KindOf } from "./report.ts";
import { blanks } from "./split-words.ts";

export type Scope = {
  cwd: string | undefined;
  previous: string | undefined;
  readonly stack: (string | undefined)[];
  /** Undefined: set, but to what is not known. */
  readonly variables: Map<string, readonly Field[] | undefined>;
  readonly functions: Map<string, ShellFunction["body"]>;
  /** Aliases of the shell, and of git as `git <name>`. */
  readonly aliases: Map<string, string>;
  /** Files that the command itself writes, with their text where it is known. */
  readonly files: Map<string, Input>;
  /** Text of a small file, where files may be looked at. */
  readonly read: (path: string) => string | undefined;
  /** The names in a small archive. */
  readonly packed: (path: string) => readonly string[] | undefined;
  readonly kindOf: KindOf;
  /** Names that stand for other variables: `declare -n`. A new map for each change, since copies share it. */
  references: ReadonlyMap<string, string>;
  positional: readonly Field[] | undefined;
  readonly depth: number;
};

/** Every level may be parsed anew: this keeps the time near the length of the text. */
export const deepest = 12;

export function openScope(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
  { read, packed, kindOf }: Pick<Scope, "read" | "packed" | "kindOf">,
): Scope {
  const variables = new Map(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, [plain(value)]] as const])),
  );
  const files = new Map<string, Input>();
  return {
    cwd,
    files,
    previous: undefined,
    stack: [],
    variables,
    functions: new Map(),
    aliases: new Map(),
    read: (path) => (files.has(path) ? files.get(path)!.text : read(path)),
    packed,
    kindOf,
    references: new Map(),
    positional: undefined,
    depth: 0,
  };
}

export function copyOf(scope: Scope): Scope {
  const { stack, variables, functions, aliases } = scope;
  return {
    ...scope,
    stack: [...stack],
    variables: new Map(variables),
    functions: new Map(functions.size === 0 ? undefined : functions),
    aliases: new Map(aliases.size === 0 ? undefined : aliases),
    depth: scope.depth + 1,
  };
}

/** After a branch that may have run or not, only that is known in which both ways agree. */
export function merge(scope: Scope, branch: Scope): void {
  if (scope.cwd !== branch.cwd) scope.cwd = undefined;
  for (const name of new Set([...scope.variables.keys(), ...branch.variables.keys()])) {
    const [one, other] = [scope.variables.get(name), branch.variables.get(name)];
    if (JSON.stringify(one) !== JSON.stringify(other)) scope.variables.set(name, undefined);
  }
  for (const [name, body] of branch.functions) scope.functions.set(name, body);
  for (const [name, text] of branch.aliases) scope.aliases.set(name, text);
}

/** A file by its name in the folder of the scope. */
export function readIn(file: Field, { cwd, read, files }: Scope): string | undefined {
  if (file.unknown !== undefined || cwd === undefined || file.text === "") return undefined;
  const path = posix.resolve(cwd, file.text);
  return file.glob === undefined ? read(path) : files.get(path)?.text;
}

/** Where git keeps its things for the folder. */
export function rootOf({ cwd, read }: Scope): string | undefined {
  for (let folder = cwd; folder !== undefined; folder = folder === "/" ? undefined : posix.dirname(folder))
    for (const name of [".git/HEAD", ".git"]) if (read(posix.join(folder, name)) !== undefined) return folder;
  return undefined;
}

/** Variables of the shell that are some number. */
const anyNumber: ReadonlySet<string> = new Set(
  "$ ! ? RANDOM SECONDS EPOCHSECONDS BASHPID PPID UID EUID LINENO".split(" "),
);

export function valuesIn(scope: Scope, name: string): readonly Field[] | undefined {
  if (name === "PWD") return scope.cwd === undefined ? undefined : [plain(scope.cwd)];
  if (name === "OLDPWD") return scope.previous === undefined ? undefined : [plain(scope.previous)];
  if (anyNumber.has(name)) return [pattern("*")];
  if ((name === "BASH" || name === "SHELL") && !scope.variables.has(name)) return [plain("/bin/bash")];
  if (name === "IFS" && !scope.variables.has(name)) return [plain(blanks)];
  if (name === "@" || name === "*") return scope.positional;
  if (/^[1-9]\d*$/.test(name)) return scope.positional?.slice(Number(name) - 1, Number(name));
  return scope.variables.get(variableOf(scope, name));
}

const mostReferences = 10;

/** The variable that a name stands for in the end. */
function variableOf({ references }: Scope, name: string): string {
  let found = name;
  for (let hops = 0; references.size > 0 && hops < mostReferences; hops++) {
    const next = references.get(found);
    if (next === undefined || next === "") break;
    found = next.replace(/\[.*$/, "");
  }
  return found;
}

/** A reference without a name yet gets it from its first value. */
export function setVariable(scope: Scope, name: string, value: readonly Field[] | undefined): void {
  const [only] = value ?? [];
  if (scope.references.get(name) === "") refer(scope, name, only?.unknown === undefined ? (only?.text ?? "") : "");
  else scope.variables.set(variableOf(scope, name), value);
}

export function refer(scope: Scope, name: string, target: string): void {
  scope.references = new Map([...scope.references, [name, target]]);
}

/** Undefined where they are not known. */
export function separatorsIn(scope: Scope): string | undefined {
  if (!scope.variables.has("IFS")) return blanks;
  const [only] = scope.variables.get("IFS") ?? [];
  return only === undefined || only.unknown !== undefined ? undefined : only.text;
}
