/**
 * `python -c`, `python - <<EOF`, `node -e`: writes whose file is a literal, or a name that was given a literal just before.
 *
 * Not a parser of these languages: it reads calls of the known writing functions, and says "unknown" for every other argument.
 */
import { type Field, pattern, plain } from "../field.ts";
import type { Doings, Program } from "../program.ts";
import { readOptions } from "../read-options.ts";

type Language = "python" | "javascript";

const literal = String.raw`(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|` + "`[^`$\\\\]*`)";
const argument = String.raw`[rbf]?(?:Path\s*\(\s*)?(${literal}|[A-Za-z_]\w*)\)?`;

/** Each finds calls; the groups named `a` and `b` are the files it writes. */
const writers: Readonly<Record<Language, readonly RegExp[]>> = {
  python: [
    new RegExp(String.raw`\bopen\s*\(\s*${argument}\s*,\s*(?:mode\s*=\s*)?["'][^"']*[wax+][^"']*["']`, "g"),
    new RegExp(
      String.raw`\bPath\s*\(\s*(${literal}|[A-Za-z_]\w*)\s*\)\s*\.\s*(?:write_text|write_bytes|touch|unlink|mkdir|rmdir|open\s*\(\s*["'][wax])`,
      "g",
    ),
    new RegExp(String.raw`\b([A-Za-z_]\w*)\s*\.\s*(?:write_text|write_bytes|touch|unlink)\s*\(`, "g"),
    new RegExp(
      String.raw`\b(?:os\.(?:remove|unlink|rmdir|makedirs|mkdir|truncate|chmod)|shutil\.rmtree)\s*\(\s*${argument}`,
      "g",
    ),
    new RegExp(String.raw`\b(?:os\.(?:rename|replace)|shutil\.move)\s*\(\s*${argument}\s*,\s*${argument}`, "g"),
    new RegExp(
      String.raw`\bshutil\.(?:copy|copy2|copyfile|copytree)\s*\(\s*[^,()]+(?:\([^()]*\))?\s*,\s*${argument}`,
      "g",
    ),
  ],
  javascript: [
    new RegExp(
      String.raw`\b(?:writeFile|appendFile|writeFileSync|appendFileSync|createWriteStream|rmSync|unlinkSync|unlink|rmdirSync|mkdirSync|mkdir|truncateSync|Bun\.write)\s*\(\s*${argument}`,
      "g",
    ),
    new RegExp(String.raw`\b(?:renameSync|rename)\s*\(\s*${argument}\s*,\s*${argument}`, "g"),
    new RegExp(String.raw`\b(?:copyFileSync|copyFile|cpSync)\s*\(\s*[^,()]+\s*,\s*${argument}`, "g"),
  ],
};
/** Every call that may write, also with arguments the others cannot read. */
const suspects: Readonly<Record<Language, RegExp>> = {
  python:
    /\bopen\s*\([^\n]{0,300}?,\s*(?:mode\s*=\s*)?["'][rbt]*[wax+][bt+]*["']|\.\s*(?:write_text|write_bytes|touch|unlink|rmtree|copyfile|copytree)\s*\(|\bos\.(?:remove|rename|replace|makedirs|unlink|truncate|open|link|symlink)\s*\(|\binplace\s*=\s*(?:True|1)|\bshutil\.\w+\s*\(/g,
  javascript:
    /\b(?:(?:write|append|copy)File(?:Sync)?|createWriteStream|(?:rm|unlink|rename|mkdir|cp|truncate|link|symlink|open|chmod|utimes)Sync|Bun\.write)\s*\(/g,
};
const assigned = new RegExp(
  String.raw`\b([A-Za-z_]\w*)\s*=\s*(?:pathlib\.)?(?:Path\s*\(\s*)?r?(${literal})\s*\)?\s*(?=[;\n,]|$)`,
  "g",
);
const runsOthers =
  /\b(?:os\.(?:system|popen|exec\w*|spawn\w*)|subprocess\.\w+|execSync|execFileSync|execFile|exec|spawnSync|spawn|system|shell_exec|passthru|popen|Open3\.\w+)\s*\(?\s*(?=["'[`(])/g;
const otherCommand = new RegExp(
  String.raw`^\(?\s*(?:(${literal})|\[([^\]]*)\])\s*(?:,\s*(?:\[([^\]]*)\]|(${literal}(?:\s*,\s*${literal})*)))?`,
);
const longestCode = 100_000;

/** Verbs of perl, ruby, php and their like that write files. */
const scriptVerbs =
  /\b(?:unlink|rename|copy|move|cp|mv|rm\w*|truncate|mkdir|rmdir|symlink|link|chmod|utime|file_put_contents|fwrite|write\w*|delete|FileUtils|IO\.write|File\.(?:write|delete|rename|open)|spew\w*|append_file|edit_file)\b|["'](?:\+?[>]{1,2}|w|a|r\+|w\+|x)|open\b[^;]*>/;

/** `perl -e`, `ruby -e`, `php -r`: a code that writes is taken to write every file that it names. */
export function readScriptCode(code: string, doings: Doings, name: string): void {
  if (code.length > longestCode) return doings.doubt(name, "its code is too long");
  startOthers(code, doings, name);
  if (!scriptVerbs.test(code)) return;
  writeLiterals(code, doings, name);
  if (/[$@]\w|#\{|\bglob\b|<\*/.test(code)) doings.doubt(name, "a file its code writes is not known");
}

export const scriptLanguage: Program = (args, doings, name) => {
  const { operands, value, has } = readOptions(args, { letters: "erd", words: ["run", "eval"], stopAtOperand: true });
  const code = value("r", "e", "run", "eval");
  if (has("v", "version", "h", "help", "l", "i", "m")) return;
  if (code?.unknown !== undefined) return doings.doubt(code.unknown, `code of ${name}`);
  if (code !== undefined) return readScriptCode(code.text, doings, name);
  const text = operands[0] === undefined ? doings.input.text : doings.read(operands[0]);
  if (text === undefined) return doings.doubt(operands[0]?.text ?? name, "the program is not looked into");
  readScriptCode(text, doings, name);
  if (scriptVerbs.test(text)) writeOperands(operands.slice(1), doings, name);
};

/** Literals that look like files. */
function writeLiterals(code: string, { write }: Doings, name: string): void {
  for (const [text] of code.matchAll(new RegExp(literal, "g"))) {
    const path = unquoted(text).replace(/^\s*\+?[<>]{1,2}\s*/, "");
    if (/^[\w@./*-]+$/.test(path) && /\/|[^.]\.\w+$/.test(path) && !/^\w+\/?$/.test(path))
      write(/[*]/.test(path) ? pattern(path) : plain(path), { why: `code of ${name}` });
  }
}

/** Files that a script gets as its arguments. */
function writeOperands(operands: readonly Field[], { write }: Doings, name: string): void {
  for (const one of operands) if (one.unknown !== undefined || /[/.]/.test(one.text)) write(one, { why: name });
}

/** Programs that code starts by literal words are read as if they were typed. */
function startOthers(code: string, { shell, run, doubt }: Doings, name: string): void {
  for (const match of code.matchAll(runsOthers)) {
    const rest = code.slice(match.index + match[0].length);
    const [, one, list, others, more] = otherCommand.exec(rest) ?? [];
    const words = (text: string | undefined): readonly Field[] =>
      [...(text ?? "").matchAll(new RegExp(literal, "g"))].map(([word]) => plain(unquoted(word)));
    if (list !== undefined && words(list).length > 0) run(words(list), { input: {} });
    else if (one !== undefined && (others !== undefined || more !== undefined))
      run([plain(unquoted(one)), ...words(others), ...words(more)], { input: {} });
    else if (one !== undefined) shell(unquoted(one));
    else doubt(name, "its code starts other programs");
  }
}

export function inlineCode(language: Language): Program {
  return (args, doings, name) => {
    const { operands, has, value } = readOptions(args, {
      letters: language === "python" ? "cmWX" : "epr",
      words: ["eval", "print", "require", "import"],
      stopAtOperand: true,
    });
    const code = language === "python" ? value("c") : value("e", "p", "eval", "print");
    if (code !== undefined)
      return code.unknown === undefined
        ? readCode(code.text, language, doings, name, operands)
        : doings.doubt(code.unknown, `code of ${name}`);
    if (has("m", "version", "V", "v", "help", "h", "check", "test"))
      return has("m") ? runModule(args, doings) : undefined;
    const [script] = operands;
    if (language === "javascript" && ["run", "x", "test", "install", "add"].includes(script?.text ?? ""))
      return runBun(operands, doings, name);
    if (script !== undefined && script.text !== "-") {
      const text = doings.read(script);
      if (text === undefined) return doings.doubt(script.unknown ?? script.text, "the program is not looked into");
      return readCode(text, language, doings, name, operands.slice(1));
    }
    if (doings.input.text !== undefined) readCode(doings.input.text, language, doings, name, operands.slice(1));
    else doings.doubt(name, "its input is not known");
  };
}

/** `python -m black …` is the program of that name. */
function runModule(args: Parameters<Program>[0], { run }: Doings): void {
  const at = args.findIndex(({ text }) => text === "-m");
  if (at !== -1) run(args.slice(at + 1));
}

/** `bun run x`, `deno run x`: a script of the package, or a file. */
function runBun([action, ...rest]: readonly Field[], { run, read, unknownProgram }: Doings, name: string): void {
  const first = readOptions(rest, { stopAtOperand: true }).operands[0];
  if (action?.text === "x") return run(rest);
  if (action?.text !== "run" || first === undefined) return unknownProgram([name, action?.text].join(" "));
  if (read(first) === undefined) run([plain("npm"), plain("run"), ...rest]);
  else run([plain(name), ...rest]);
}

function readCode(code: string, language: Language, doings: Doings, name: string, operands: readonly Field[]): void {
  const { write, doubt } = doings;
  if (code.length > longestCode) return doubt(name, "its code is too long");
  const literals = [...code.matchAll(assigned)].map(({ index, 1: to = "", 2: text = "" }) => ({ index, to, text }));
  const open = [...code.matchAll(suspects[language])].map(({ index, 0: { length } }) => index + length);
  const understood = new Set<number>();
  for (const writer of writers[language]) {
    for (const call of code.matchAll(writer)) {
      for (let at = call.index; at <= call.index + call[0].length + 1; at++) understood.add(at);
      for (const what of call.slice(1)) {
        if (what === undefined) continue;
        const isLiteral = /^["'`]/.test(what);
        const text = isLiteral ? what : literals.findLast(({ to, index }) => to === what && index < call.index)?.text;
        if (text === undefined) doubt(what, `code of ${name}`);
        // A copy may go into a folder.
        else
          write(plain(unquoted(text)), {
            why: `code of ${name}`,
            below: call[0].startsWith("shutil") && !/\.\w+.$/.test(text),
          });
      }
    }
  }
  if (open.some((end) => !understood.has(end))) {
    doubt(name, "a file its code writes is not known");
    writeLiterals(code, doings, name);
    writeOperands(operands, doings, name);
  }
  startOthers(code, doings, name);
}

function unquoted(text: string): string {
  return text.slice(1, -1).replaceAll(/\\(.)/g, "$1");
}
