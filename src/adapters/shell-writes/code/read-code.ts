/**
 * Code of `python -c`, `node -e`, `perl -e` and their like, and of small scripts: the files it writes and the programs it starts.
 *
 * Only functions of modules that can reach files or processes count: a call of such a module that no rule knows, a module that
 * is not known, and code in a text that is not known are unknown, never harmless.
 */
import { posix } from "node:path";
import { escapeGlob, type Field, inFolder, mapped, opaque, pattern, plain } from "../field.ts";
import { besides } from "../programs/files.ts";
import type { Doings } from "../program.ts";
import { isFileModule, isProcessModule, isReading, isWriter, ruleFor, ruleOfModules } from "./calls.ts";
import { evaluate } from "./evaluate.ts";
import { endings, isLoader, isLocalModule, meantBy } from "./loaders.ts";
import type { Language } from "./language.ts";
import { importsOf, isKnownModule } from "./modules.ts";
import type { Reader } from "./reader.ts";
import { listOf, membersOf, nothing, texts, unknown, type Value } from "./value.ts";

export type CodeSource = {
  readonly language: Language;
  /** The program, for messages. */
  readonly program: string;
  readonly operands: readonly Field[];
  /** The file that the code comes from. */
  readonly file?: Field | undefined;
  /** Modules that were read before. */
  readonly loaded?: Set<string>;
  /** Each line of its input is `$_`: `perl -n`. */
  readonly isByLine?: boolean;
};

const longestCode = 100_000;
const deepest = 8;
const mostModules = 50;

export function readCode(code: string, source: CodeSource, doings: Doings, depth = 0): void {
  const { language, program, operands } = source;
  if (code.length > longestCode || depth > deepest) return doings.doubt(program, "its code is too long");
  const why = `code of ${program}`;
  const { aliases, modules, functions } = importsOf(code, language);
  const loaded = source.loaded ?? new Set<string>();
  let folder: Field | undefined = plain(".");
  let isOpen = false;

  const reader: Reader = {
    language,
    program,
    doings,
    operands,
    doubt(reason) {
      doings.doubt(program, reason);
    },
    write(target, { below = false } = {}) {
      if (target === undefined || !target.isKnown || membersOf(target).length === 0) {
        isOpen = true;
        doings.doubt(program, "a file its code writes is not known");
      }
      for (const field of target === undefined ? [] : membersOf(target)) {
        if (folder === undefined) doings.doubt(program, "the folder of its code is not known");
        else if (field.text !== "") doings.write(placed(field), { why, below });
      }
    },
    changeFolder(to) {
      const [only] = to?.fields ?? [];
      if (only === undefined || to!.fields.length !== 1 || !to!.isKnown || only.glob !== undefined) folder = undefined;
      else folder = only.text.startsWith("/") || folder === undefined ? only : inFolder(folder, only);
    },
    startShell(text, cwd) {
      for (const field of text?.fields ?? [])
        if (field.unknown === undefined && field.glob === undefined && !/[\0]/.test(field.text))
          doings.run([plain("sh"), plain("-c"), field], { input: {}, ...inside(cwd) });
      if (text === undefined || !text.isKnown) openEnd("its code starts a program that is not known");
    },
    startProgram(argv, cwd) {
      const items = argv.items ?? [];
      const words = items.flatMap((one) => (one.isKnown ? membersOf(one) : [{ text: "", unknown: program }]));
      if (words.length > 0) doings.run(words, { input: {}, ...inside(cwd) });
      if (words.length === 0 || items.some((one) => !one.isKnown))
        openEnd("its code starts a program that is not known");
    },
    link(place, target, isSymbolic) {
      const [at, ...others] = place?.fields ?? [];
      const [to, ...more] = target?.isKnown === true ? membersOf(target) : [];
      if (at === undefined || others.length > 0 || folder === undefined) return;
      const isKnown = to !== undefined && more.length === 0;
      const from = isSymbolic && isKnown ? besides(at, to) : (to ?? opaque(program));
      doings.link(placed(at), isKnown ? placed(from) : opaque(program));
    },
    readText(text, file) {
      const own = { ...source, loaded, ...(file === undefined ? {} : { file }) };
      if (text?.content !== undefined) readCode(text.content, own, doings, depth + 1);
      else if (text === undefined || !text.isKnown) openEnd("its code runs a text that is not known");
      else for (const field of text.fields) readCode(field.text, own, doings, depth + 1);
    },
    input() {
      const { names, text } = doings.input;
      if (names !== undefined) return { fields: names, isKnown: names.every((one) => one.unknown === undefined) };
      return text === undefined ? unknown : { fields: [], isKnown: true, content: text };
    },
    contentOf(file) {
      const [only] = file?.fields ?? [];
      const text = only === undefined || file!.fields.length !== 1 ? undefined : doings.read(only);
      return text === undefined ? { ...unknown, isPath: false } : { fields: [], isKnown: true, content: text };
    },
  };

  function inside(cwd: Value | undefined): { readonly cwd?: Field } {
    const [own] = cwd?.fields ?? [];
    const place = own ?? folder ?? { text: "", unknown: program };
    return place.text === "." && place.unknown === undefined ? {} : { cwd: place };
  }

  function placed(field: Field): Field {
    return folder === undefined || field.text.startsWith("/") || folder.text === "." ? field : inFolder(folder, field);
  }

  function openEnd(reason: string): void {
    isOpen = true;
    doings.doubt(program, reason);
  }

  const positional = (before: number): Value =>
    listOf([
      ...Array.from({ length: before }, () => texts(source.file ?? plain("-"))),
      ...operands.map((one) => texts(one)),
    ]);
  const script = source.file === undefined ? texts(".") : texts(source.file);
  const scriptFolder =
    source.file === undefined ? texts(".") : texts(mapped(source.file, (text) => posix.dirname(text)));
  const builtIn: Readonly<Record<string, () => Value>> = {
    "sys.argv": () => positional(1),
    "process.argv": () => positional(source.file === undefined ? 1 : 2),
    "Bun.argv": () => positional(2),
    "Deno.args": () => positional(0),
    "@ARGV": () => positional(0),
    ARGV: () => positional(0),
    $argv: () => positional(1),
    arg: () => positional(1),
    __dirname: () => scriptFolder,
    "import.meta.dirname": () => scriptFolder,
    __DIR__: () => scriptFolder,
    __dir__: () => scriptFolder,
    __file__: () => script,
    __filename: () => script,
    __FILE__: () => script,
    "import.meta.url": () => script,
    "import.meta.filename": () => script,
    $0: () => script,
    STDIN: () => reader.input(),
    $stdin: () => reader.input(),
    "sys.stdin": () => reader.input(),
    $_: () => reader.input(),
    "os.sep": () => texts("/"),
    "path.sep": () => texts("/"),
    True: () => texts("1"),
    None: () => nothing,
  };

  // Ruby's own `-i` from inside the code.
  if (language === "ruby" && /\$-i\s*=/.test(code)) reader.write(positional(0));
  evaluate(code, language, {
    isBareCall: (name) => {
      const { name: last, owner } = split(resolved(name));
      if (functions.has(last) && owner === "") return false;
      if (isLoader(last, owner, language)) return true;
      return !/^(?:join|split|map|grep|sort|keys|values|reverse|filter|set|list|read|format|sub|replace|parse|load|lines|URL|Path|str|from|select|reject|slice|basename|dirname|glob|children|find|walk|entries|run|call|command|new|open)$/.test(
        last,
      )
        ? ruleFor({ name: last, owner, args: [] }, language) !== undefined
        : ["perl", "ruby"].includes(language) &&
            /^(?:open|glob|join|grep|map|sort|reverse)$/.test(last) &&
            owner === "";
    },
    tooLong: () => openEnd("its code is too long"),
    inPlace: (files) => reader.write(files),
    command(text, hasEffects) {
      if (hasEffects) reader.startShell(text);
      return unknown;
    },
    nameOf(path, hasEffects, of) {
      const full = resolved(path);
      const { name: member, owner: module } = split(full);
      if (/^O_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND|EXCL)$/.test(member)) return texts("w");
      if (/^O_RDONLY$/.test(member)) return texts("r");
      // A function that is handed on, such as `files.forEach(fs.unlinkSync)`.
      const isHandedOn =
        (isFileModule(module) || isProcessModule(module)) &&
        !isReading(member) &&
        !/^(?:promises|[A-Z_\d]+)$/.test(member);
      const isMethod = of !== undefined && isWriter(member, of.isPath === true);
      if ((isHandedOn || isMethod) && hasEffects) openEnd(`its code uses ${full}, which is not known`.slice(0, 120));
      if (full.startsWith("env ") || /^(?:process\.env|ENV)\./.test(full)) {
        const field = doings.valueOf(full.replace(/^(?:env |process\.env\.|ENV\.)/, ""));
        return field === undefined ? unknown : texts(field);
      }
      if (Object.hasOwn(builtIn, full)) return builtIn[full]!();
      return isFileModule(full) || isProcessModule(full) ? { ...unknown, module: full } : unknown;
    },
    call: callFunction,
  });

  function callFunction(
    path: string,
    receiver: Value | undefined,
    args: readonly Value[],
    named: ReadonlyMap<string, Value>,
    hasEffects: boolean,
  ): Value {
    const { name, owner } = split(resolved(path));
    if (owner === "" && functions.has(name)) return unknown;
    const meant = meantBy({ name, owner, args }, language);
    if (meant !== undefined)
      return meant.args === undefined
        ? { ...unknown, module: meant.path }
        : callFunction(meant.path, receiver, meant.args, named, hasEffects);
    const call = { name, owner, receiver, args, named };
    const quiet = hasEffects
      ? reader
      : {
          ...reader,
          write() {},
          link() {},
          doubt() {},
          startShell() {},
          startProgram() {},
          readText() {},
          changeFolder() {},
        };
    if (isLoader(name, owner, language)) return load(name, args, quiet);
    const rule = ruleOfModules(name, modules) ?? ruleFor(call, language);
    if (rule !== undefined) return rule(call, quiet) ?? (owner === "" ? unknown : nothing);
    if (/^(?:getenv|fetch|get)$/.test(name) && /(?:^|\.)(?:os|environ|ENV|env)$/.test(owner)) {
      const field = doings.valueOf(args[0]?.fields[0]?.text ?? "");
      return field === undefined ? (args[1] ?? unknown) : texts(field);
    }
    if ((isFileModule(owner) || isProcessModule(owner)) && !isReading(name)) {
      quiet.doubt(`its code calls ${owner}.${name}, which is not known`.slice(0, 120));
      if (hasEffects) isOpen = true;
    }
    return unknown;
  }

  for (const module of modules)
    if (isLocalModule(module, language)) load("import", [texts(module)], reader);
    else if (!isKnownModule(module, language) && !loadOwnModule(module)) {
      isOpen = true;
      doings.doubt(program, `its code uses ${module}, which is not known`.slice(0, 120));
    }
  if (isOpen) writeMaybe(code, source, doings, why);

  function load(name: string, args: readonly Value[], own: Reader): Value {
    const [first] = args;
    if (/^(?:require|import|__import__|import_module|require_relative)$/.test(name)) {
      const text = first?.isKnown === true ? (first.fields[0]?.text ?? "") : undefined;
      if (text === undefined) {
        own.readText(unknown);
        return unknown;
      }
      const isFile = /^\.{0,2}\//.test(text) || name === "require_relative" || /\.(?:pl|php|inc)$/.test(text);
      if (!isFile) return { ...nothing, module: text.replace(/^node:/, "").replaceAll("/", ".") };
      const found = fileOf(text, endings[language] ?? []);
      if (text.endsWith(".json")) return found?.content ?? unknown;
      if (found === undefined) own.readText(unknown);
      else loadOnce(found, own);
      return unknown;
    }
    if (
      /^(?:run_path|execfile|do|load|dofile|loadfile|source|sys\.source|include|include_once|require_once)$/.test(name)
    ) {
      const [file] = first?.fields ?? [];
      if (file === undefined || (name === "load" && first?.content !== undefined)) own.readText(first);
      else own.readText(own.contentOf(first), file);
    } else own.readText(first);
    return unknown;
  }

  /** A module beside the code, with the ending that it may leave out. */
  function fileOf(
    text: string,
    tried: readonly string[],
  ): { readonly file: Field; readonly content: Value } | undefined {
    for (const ending of ["", ...tried]) {
      const name = text + ending;
      const file =
        source.file === undefined || name.startsWith("/")
          ? plain(name)
          : mapped(source.file, (place) => posix.join(posix.dirname(place), name));
      const content = reader.contentOf(texts(file));
      if (content.content !== undefined) return { file, content };
    }
    return undefined;
  }

  function loadOnce({ file, content }: { readonly file: Field; readonly content: Value }, own: Reader): void {
    if (own !== reader || loaded.has(file.text)) return;
    loaded.add(file.text);
    if (loaded.size > mostModules) openEnd("its code loads too many modules");
    else own.readText(content, file);
  }

  /** `import tools.fix`: a file of the tree, beside the code. */
  function loadOwnModule(module: string): boolean {
    if (language !== "python" || module.startsWith(".")) return false;
    const found = fileOf(module.replaceAll(".", "/"), endings.python!);
    if (found !== undefined) loadOnce(found, reader);
    return found !== undefined;
  }

  function resolved(path: string): string {
    const plainPath = path.replace(/^\./, "");
    const [head = "", ...rest] = plainPath.split(".");
    const alias = aliases.get(head);
    return alias === undefined || path.startsWith(".") ? path : [alias, ...rest].join(".");
  }
}

function split(path: string): { readonly name: string; readonly owner: string } {
  const at = path.lastIndexOf(".");
  return at === -1 ? { name: path, owner: "" } : { name: path.slice(at + 1), owner: path.slice(0, at) || "." };
}

/** Where a target is not known, every file that the code or its arguments name may be one: asked for, not reserved. */
function writeMaybe(code: string, { operands }: CodeSource, { write, input }: Doings, why: string): void {
  const literal = /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`([^`\\]*)`/g;
  for (const [, ...quoted] of code.matchAll(literal)) {
    const path = (quoted.find((one) => one !== undefined) ?? "").replace(/^\s*\+?[<>]{1,2}\s*/, "");
    if (/^[\w@./*-]+$/.test(path) && /\/|[^.]\.\w+$/.test(path) && !/^\w+\/?$/.test(path))
      write(pattern(path.includes("*") ? path : escapeGlob(path)), { why });
  }
  for (const one of [...operands, ...(input.names ?? [])])
    if (one.unknown === undefined && (one.glob !== undefined || /[/.]/.test(one.text)))
      write(one.glob === undefined ? pattern(escapeGlob(one.text)) : one, { why });
}
