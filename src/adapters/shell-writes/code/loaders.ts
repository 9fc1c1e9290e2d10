/** Functions that run other code: a text, a file, a module of the tree, or a function whose name is a value. */
import type { Language } from "./language.ts";
import type { Call } from "./reader.ts";
import type { Value } from "./value.ts";

/** Endings that the name of a module leaves out. */
export const endings: Partial<Record<Language, readonly string[]>> = {
  javascript: [".js", ".cjs", ".mjs", ".ts", ".json", "/index.js", "/index.ts"],
  python: [".py", "/__init__.py"],
  ruby: [".rb"],
};

const everywhere =
  "eval require import __import__ Function runInThisContext runInNewContext instance_eval class_eval".split(" ");
const loaders: Partial<Record<Language, readonly string[]>> = {
  python: ["exec", "compile", "execfile", "run_path", "import_module"],
  perl: ["do"],
  ruby: ["load", "require_relative"],
  lua: ["load", "dofile", "loadfile", "loadstring"],
  php: ["include", "include_once", "require_once"],
  r: ["source", "sys.source"],
};

/** `exec` runs code in Python and a program elsewhere; `load` reads JSON behind a module. */
export function isLoader(name: string, owner: string, language: Language): boolean {
  if (owner === "sys" && name === "source") return language === "r";
  const isOwn = loaders[language]?.includes(name) === true;
  if (!isOwn && !everywhere.includes(name)) return false;
  return owner === "" || /^(?:runpy|vm|importlib)$/.test(owner) || name.endsWith("_eval");
}

/** A file of the tree; a JSON file is read where the code asks for it. */
export function isLocalModule(module: string, language: Language): boolean {
  return language === "javascript" && /^\.{0,2}\//.test(module) && !module.endsWith(".json");
}

type Meant = { readonly path: string; readonly args?: readonly Value[] };

/** A call by way of another: `f.call(x, …)`, `File.send(:delete, …)`, `getattr(os, "remove")`. Without arguments it is only found. */
export function meantBy(
  { name, owner, args }: Pick<Call, "name" | "owner" | "args">,
  language: Language,
): Meant | undefined {
  const [first, second] = args;
  const text = first?.isKnown === true && first.fields.length === 1 ? first.fields[0]!.text : undefined;
  switch (language) {
    case "javascript":
      if (!owner.includes(".")) return undefined;
      if (name === "call" || name === "bind") return { path: owner, args: args.slice(1) };
      return name === "apply" ? { path: owner, args: second?.items ?? args.slice(1) } : undefined;
    case "ruby":
      if (!/^(?:__send__|send|public_send)$/.test(name) || owner === "" || text === undefined) return undefined;
      return { path: `${owner}.${text}`, args: args.slice(1) };
    case "php":
      if (text === undefined || !/^(?:call_user_func(?:_array)?|array_map|array_walk)$/.test(name)) return undefined;
      return { path: text, args: args.slice(1).flatMap((one) => one.items ?? [one]) };
    case "python": {
      const member = second?.isKnown === true ? second.fields[0]?.text : undefined;
      return name === "getattr" && owner === "" && first?.module !== undefined && member !== undefined
        ? { path: `${first.module}.${member}` }
        : undefined;
    }
    default:
      return undefined;
  }
}
