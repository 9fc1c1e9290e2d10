/** `python -c`, `node -e`, `perl -e`, `ruby -e`, `php -r` and their scripts: the code is read where it can be. */
import { readCode } from "../code/index.ts";
import type { Language } from "../code/index.ts";
import { type Field, mapped, plain } from "../field.ts";
import type { Doings, Program } from "../program.ts";
import { type OptionTerms, readOptions } from "../read-options.ts";
import { readTcl } from "./tcl.ts";

type Terms = {
  readonly language: Language;
  readonly options: OptionTerms;
  /** Options whose value is code. */
  readonly code: readonly string[];
  /** Options that run nothing of the user's. */
  readonly harmless: readonly string[];
  /** Options that load a module first. */
  readonly loads?: readonly string[];
};

function interpreter({ language, options, code: codeOptions, harmless, loads = [] }: Terms): Program {
  return (args, doings, name) => {
    const { operands, has, values } = readOptions(args, { ...options, stopAtOperand: true });
    const code = values(...codeOptions);
    for (const module of values(...loads)) readFile(module, language, [], doings, name);
    if (code.length > 0) return readAll(code, language, operands, doings, name);
    if (has(...harmless)) return;
    const [script] = operands;
    if (script !== undefined && script.text !== "-" && script.text !== "/dev/stdin")
      return readFile(script, language, operands.slice(1), doings, name);
    if (doings.input.text === undefined) return doings.doubt(name, "its input is not known");
    readText(doings.input.text, { language, program: name, operands: operands.slice(1) }, doings);
  };
}

function readAll(
  code: readonly Field[],
  language: Language,
  operands: readonly Field[],
  doings: Doings,
  name: string,
): void {
  const open = code.find(({ unknown }) => unknown !== undefined);
  if (open !== undefined) return doings.doubt(name, `its code ${open.unknown} is not known`);
  readText(code.map(({ text }) => text).join("\n"), { language, program: name, operands }, doings);
}

function readFile(script: Field, language: Language, operands: readonly Field[], doings: Doings, name: string): void {
  const text = doings.read(script);
  if (text === undefined) return doings.doubt(name, `the program ${script.unknown ?? script.text} is not looked into`);
  const tool = toolIn(script);
  if (tool !== undefined) return doings.run([plain(tool), ...operands]);
  readText(text, { language, program: name, operands, file: script }, doings);
}

/** `node node_modules/.bin/prettier` is prettier. */
function toolIn({ text }: Field): string | undefined {
  return (
    /node_modules\/\.bin\/([\w.-]+)$/.exec(text)?.[1] ?? /node_modules\/([\w-]+)\/(?:bin|cli|dist)\b/.exec(text)?.[1]
  );
}

function readText(text: string, source: Parameters<typeof readCode>[1], doings: Doings): void {
  if (source.language === "tcl") return readTcl(text, doings, source.program);
  const code =
    source.language === "php" && text.includes("<?")
      ? text.replaceAll(/(?:^|\?>)[\s\S]*?(?:<\?(?:php|=)?|$)/g, ";")
      : text;
  readCode(code, source, doings);
}

/** `python -m black …` is the program of that name; a module of the tree is its file. */
const python: Program = (args, doings, name) => {
  const at = args.findIndex(({ text }) => /^-[a-zA-Z]*m$/.test(text));
  const before = at === -1 ? [] : args.slice(0, at);
  if (
    at !== -1 &&
    before.every(({ text }) => text.startsWith("-") || /^\w+$/.test(text)) &&
    !before.some(({ text }) => /^-[a-zA-Z]*c/.test(text))
  ) {
    const [module, ...rest] = args.slice(at + 1);
    if (module === undefined) return;
    const file = mapped(module, (text) => `${text.replaceAll(".", "/")}.py`);
    if (module.unknown === undefined && doings.read(file) !== undefined)
      return readFile(file, "python", rest, doings, name);
    return doings.run([module, ...rest]);
  }
  pythonCode(args, doings, name);
};
const pythonCode = interpreter({
  language: "python",
  options: { letters: "cmWXQ" },
  code: ["c"],
  harmless: ["version", "V", "h", "help"],
});

const nodeCode = interpreter({
  language: "javascript",
  options: {
    letters: "eprC",
    words: [
      "eval",
      "print",
      "require",
      "import",
      "input-type",
      "env-file",
      "conditions",
      "loader",
      "stack-trace-limit",
    ],
  },
  code: ["e", "p", "eval", "print", "pe"],
  harmless: ["version", "v", "help", "h", "check", "c", "test", "v8-options"],
  loads: ["r", "require", "import"],
});

/** `bun run x`, `deno run x`: a script of the package, or a file; `deno eval "code"`. */
const node: Program = (args, doings, name) => {
  const [action, ...rest] = args;
  const own = ["bun", "deno", "tsx", "ts-node"].includes(name);
  if (own && action?.text === "eval") return nodeCode([plain("-e"), ...readOptions(rest).operands], doings, name);
  if (
    own &&
    [
      "run",
      "x",
      "test",
      "install",
      "add",
      "i",
      "remove",
      "create",
      "build",
      "fmt",
      "lint",
      "task",
      "compile",
      "bundle",
    ].includes(action?.text ?? "")
  )
    return runBun(action!.text, rest, doings, name);
  // `-pe code` is `-p code`.
  nodeCode(
    args.map((arg) => (/^-(?:pe|ep)$/.test(arg.text) ? plain("-e") : arg)),
    doings,
    name,
  );
};

function runBun(action: string, rest: readonly Field[], doings: Doings, name: string): void {
  const { operands, has } = readOptions(rest, { stopAtOperand: true });
  const [first] = operands;
  if (action === "x") return doings.run(rest);
  if (name === "deno" && action === "fmt")
    return has("check") ? undefined : doings.run([plain("prettier"), plain("--write"), ...operands]);
  if (name === "deno" && action === "lint" && !has("fix")) return;
  if (!["run", "task"].includes(action) || first === undefined) return doings.unknownProgram([name, action].join(" "));
  if (doings.read(first) === undefined) doings.run([plain("npm"), plain("run"), ...operands]);
  else doings.run([plain(name), ...operands]);
}

type Switches = {
  readonly code: Field[];
  readonly loads: string[];
  suffix?: string;
  isByLine: boolean;
  isCheck: boolean;
  operands: readonly Field[];
};

/** `-pi -e …`, `-i.bak -pe …`: what follows `i` is the suffix, `e` takes the next argument. */
function readSwitches(args: readonly Field[], isRuby: boolean): Switches {
  const found: Switches = { code: [], loads: [], isByLine: false, isCheck: false, operands: [] };
  let at = 0;
  for (; at < args.length; at++) {
    const { text } = args[at]!;
    if (!/^-[^-]/.test(text)) break;
    const cluster = isRuby ? /^-([a-zA-Z0]*?)([ierICEFTx])(.*)$/s : /^-([a-zA-Z0-9]*?)([ieEMmIxFCD])(.*)$/s;
    const [, before = text.slice(1), letter, rest = ""] = cluster.exec(text) ?? [];
    if (/[np]/.test(before)) found.isByLine = true;
    if (/c/.test(before) && letter === undefined) found.isCheck = true;
    if (/[vh]/.test(before) && letter === undefined && !/[np]/.test(before)) found.isCheck = true;
    if (letter === "i") found.suffix = rest;
    if (letter === "M" || letter === "m" || (isRuby && letter === "r")) found.loads.push(rest.replace(/[=,].*$/s, ""));
    if (letter === "e" || letter === "E") found.code.push(rest === "" ? (args[++at] ?? plain("")) : plain(rest));
    if (["I", "C"].includes(letter ?? "") && rest === "") at++;
  }
  return { ...found, operands: args.slice(args[at]?.text === "--" ? at + 1 : at) };
}

const perl: Program = (args, doings, name) => {
  const isRuby = name === "ruby";
  const language = isRuby ? "ruby" : "perl";
  const { code, loads, suffix, isByLine, isCheck, operands } = readSwitches(args, isRuby);
  if (isCheck || args.some(({ text }) => text === "--version" || text === "--help")) return;
  const files = code.length > 0 ? operands : operands.slice(1);
  const open = code.find(({ unknown }) => unknown !== undefined);
  const lines =
    isByLine && files.length > 0
      ? { ...doings, input: { text: files.map((file) => doings.read(file) ?? "").join("\n") } }
      : doings;
  const uses = loads.map((one) => (isRuby ? `require '${one}'\n` : `use ${one};\n`)).join("");
  if (open !== undefined) doings.doubt(name, `its code ${open.unknown} is not known`);
  else if (code.length > 0)
    readText(uses + code.map(({ text }) => text).join("\n"), { language, program: name, operands }, lines);
  else if (operands[0] !== undefined && operands[0].text !== "-") readFile(operands[0], language, files, doings, name);
  else if (doings.input.text === undefined) doings.doubt(name, "its input is not known");
  else readText(doings.input.text, { language, program: name, operands: files }, doings);
  if (suffix === undefined) return;
  for (const file of files) {
    doings.write(file, { why: `${name} -i` });
    if (suffix !== "") doings.write(backup(file, suffix), { why: `${name} -i` });
  }
};

export function backup(file: Field, suffix: string): Field {
  return mapped(file, (text) =>
    suffix.includes("*") ? text.replace(/[^/]*$/, (name) => suffix.replaceAll("*", name)) : text + suffix,
  );
}

const php = interpreter({
  language: "php",
  options: { letters: "rdfBREc", words: ["run"] },
  code: ["r", "run"],
  harmless: ["v", "version", "h", "help", "l", "i", "m", "ini"],
});
const lua = interpreter({ language: "lua", options: { letters: "el" }, code: ["e"], harmless: ["v"] });
const rscript = interpreter({ language: "r", options: { letters: "e" }, code: ["e"], harmless: ["version", "help"] });
const tclsh = interpreter({ language: "tcl", options: { letters: "c" }, code: ["c"], harmless: [] });

export const interpreters: Readonly<Record<string, Program>> = {
  ...named("python python2 python3 pypy pypy3 python3.9 python3.10 python3.11 python3.12 python3.13", python),
  ...named("node nodejs bun deno tsx ts-node", node),
  ...named("perl ruby", perl),
  php,
  ...named("lua luajit lua5.4 lua5.3", lua),
  ...named("Rscript R", rscript),
  ...named("tclsh wish expect", tclsh),
};

function named(names: string, program: Program): Record<string, Program> {
  return Object.fromEntries(names.split(" ").map((name) => [name, program]));
}
