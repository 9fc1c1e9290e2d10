/** The modules that code imports, under which names, and the functions that it defines itself. */
import type { Language } from "./language.ts";

export type Imports = {
  /** Another name -> the module or its member. */
  readonly aliases: ReadonlyMap<string, string>;
  readonly modules: readonly string[];
  readonly functions: ReadonlySet<string>;
};

export function importsOf(code: string, language: Language): Imports {
  const aliases = new Map<string, string>();
  const modules = new Set<string>();
  const add = (module: string): string => {
    const name = module.replace(/^node:/, "");
    modules.add(name);
    return name.replaceAll("/", ".");
  };
  if (language === "python") {
    for (const [, list = ""] of code.matchAll(/(?:^|[;\n])[ \t]*import[ \t]+([\w., \t]+)/g))
      for (const one of list.split(",")) {
        const [name = "", alias] = one.trim().split(/\s+as\s+/);
        if (name !== "") add(name);
        if (alias !== undefined) aliases.set(alias, name);
      }
    for (const [, module = "", list = ""] of code.matchAll(
      /(?:^|[;\n])[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+\(?([\w, \t*]+)/g,
    )) {
      add(module);
      for (const one of list.split(",")) {
        const [name = "", alias = name] = one.trim().split(/\s+as\s+/);
        if (name !== "") aliases.set(alias, `${module}.${name}`);
      }
    }
    for (const [, module = ""] of code.matchAll(/(?:__import__|import_module)\s*\(\s*["']([\w.]+)["']/g)) add(module);
  }
  if (language === "javascript") {
    for (const [, head = "", module = ""] of code.matchAll(/import\s+([^;"']*?)\s*from\s*["']([^"']+)["']/g))
      bind(head, add(module), aliases);
    for (const [, head = "", module = ""] of code.matchAll(
      /(?:const|let|var)\s+([^=;]+?)\s*=\s*(?:await\s+)?(?:require|import)\s*\(\s*["']([^"']+)["']\s*\)/g,
    ))
      bind(head, add(module), aliases);
    for (const [, module = ""] of code.matchAll(/\b(?:require|import)\s*\(\s*["']([^"']+)["']/g)) add(module);
    // `import "./a.mjs"`, `export * from "./a.mjs"`
    for (const [, module = ""] of code.matchAll(/(?:^|[;\n}])\s*(?:import|export\b[^;"']*\bfrom)\s*["']([^"']+)["']/g))
      add(module);
  }
  if (language === "perl") {
    for (const [, module = ""] of code.matchAll(/(?:^|[;\n{])\s*(?:use|require)\s+([A-Z][\w:]*)/g)) modules.add(module);
  }
  if (language === "ruby")
    for (const [, module = ""] of code.matchAll(/\brequire(?:_relative)?\s*\(?\s*["']([^"']+)["']/g))
      modules.add(module);
  if (language === "lua")
    for (const [, module = ""] of code.matchAll(/\brequire\s*\(?\s*["']([^"']+)["']/g)) modules.add(module);
  if (language === "r")
    for (const [, module = ""] of code.matchAll(/\b(?:library|require)\s*\(\s*["']?(\w+)/g)) modules.add(module);
  return { aliases, modules: [...modules], functions: definedIn(code) };
}

/** `fs`, `* as fs`, `{ a, b as c }`, `{ a: b }` */
function bind(head: string, module: string, aliases: Map<string, string>): void {
  const [whole = "", members] = head.split("{");
  const name = whole
    .replace(/\*\s*as/, "")
    .replace(",", "")
    .trim();
  if (name !== "" && !name.startsWith("[")) aliases.set(name, module);
  for (const one of (members ?? "").replace("}", "").split(",")) {
    const [member = "", alias = member] = one.trim().split(/\s*(?::|\bas\b)\s*/);
    if (member !== "") aliases.set(alias, `${module}.${member}`);
  }
}

function definedIn(code: string): ReadonlySet<string> {
  const found = [
    ...code.matchAll(
      /\b(?:def|function|sub)\s+(?:self\.)?(\w+)|\b(?:const|let|var)\s+(\w+)\s*=\s*(?:async\s*)?(?:\([^()]*\)|\w+)\s*=>|\b(?:const|let|var)\s+(\w+)\s*=\s*(?:async\s+)?function/g,
    ),
  ];
  return new Set(found.flatMap(([, one, other, third]) => one ?? other ?? third ?? []));
}

const python =
  "os sys re json io math pathlib shutil subprocess string textwrap collections itertools functools operator datetime time random hashlib base64 struct typing types enum dataclasses abc copy glob fnmatch tempfile fileinput tarfile zipfile gzip bz2 lzma zlib codecs csv configparser tomllib ast inspect traceback warnings argparse getopt logging pprint statistics decimal fractions uuid secrets html urllib xml unicodedata locale platform getpass socket ssl http email mimetypes calendar bisect heapq queue threading contextlib weakref signal errno stat difflib tokenize keyword token dis runpy pty shlex __future__ importlib os.path";
const javascript =
  "fs fs/promises fs-extra path os util url child_process assert crypto events buffer stream string_decoder querystring readline timers process console zlib http https net tls dns perf_hooks v8 module path/posix timers/promises stream/promises readline/promises test";
const perl =
  "strict warnings utf8 feature File::Path File::Copy File::Spec File::Spec::Functions File::Basename File::Find File::Temp File::Slurp Path::Tiny File::Copy::Recursive List::Util Scalar::Util Data::Dumper POSIX Cwd Getopt::Long JSON::PP Encode Time::HiRes Time::Local Time::Piece IO::File IO::Handle Carp constant integer bytes open English Text::Wrap MIME::Base64 Digest::MD5 Digest::SHA autodie IPC::Open3 IPC::Open2 Fcntl vars lib overload parent base Term::ANSIColor Storable";
const ruby =
  "fileutils pathname json yaml set date time open3 tempfile optparse digest securerandom csv stringio erb find English shellwords pp forwardable ostruct timeout benchmark base64 tmpdir";

const known: Readonly<Record<Language, ReadonlySet<string>>> = {
  python: new Set(python.split(" ")),
  javascript: new Set(javascript.split(" ")),
  perl: new Set(perl.split(" ")),
  ruby: new Set(ruby.split(" ")),
  lua: new Set(["lfs", "string", "table", "math"]),
  php: new Set(),
  r: new Set(["utils", "stats", "jsonlite"]),
  tcl: new Set(),
};

/** `./config.json` is read where the code asks for it; other files of the tree are read by their names. */
export function isKnownModule(module: string, language: Language): boolean {
  if (language === "javascript" && module.startsWith(".")) return true;
  const root = language === "python" ? module.split(".")[0]! : module;
  return known[language].has(module) || known[language].has(root);
}
