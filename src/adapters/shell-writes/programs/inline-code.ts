/**
 * `python -c`, `python - <<EOF`, `node -e`: writes whose file is a literal, or a name that was given a literal just before.
 *
 * Not a parser of these languages: it reads calls of the known writing functions, and says "unknown" for every other argument.
 */
import { plain } from "../field.ts";
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
    /\bopen\s*\([^\n]{0,300}?,\s*(?:mode\s*=\s*)?["'][rbt]*[wax+][bt+]*["']|\.\s*(?:write_text|write_bytes|touch|unlink|rmtree|copyfile|copytree)\s*\(|\bos\.(?:remove|rename|replace|makedirs)\s*\(/g,
  javascript:
    /\b(?:(?:write|append|copy)File(?:Sync)?|createWriteStream|(?:rm|unlink|rename|mkdir|cp)Sync|Bun\.write)\s*\(/g,
};
const assigned = new RegExp(
  String.raw`\b([A-Za-z_]\w*)\s*=\s*(?:pathlib\.)?(?:Path\s*\(\s*)?r?(${literal})\s*\)?\s*(?=[;\n,]|$)`,
  "g",
);
const runsOthers = /\b(?:os\.system|subprocess\.|execSync|child_process|spawnSync|exec\()/;
const longestCode = 100_000;

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
        ? readCode(code.text, language, doings, name)
        : doings.doubt(code.unknown, `code of ${name}`);
    if (has("m", "version", "V", "v", "help", "h", "check", "test"))
      return has("m") ? runModule(args, doings) : undefined;
    const [script] = operands;
    if (script !== undefined && script.text !== "-")
      return doings.doubt(script.unknown ?? script.text, "the program is not looked into");
    if (doings.input.text !== undefined) readCode(doings.input.text, language, doings, name);
    else doings.doubt(name, "its input is not known");
  };
}

/** `python -m black …` is the program of that name. */
function runModule(args: Parameters<Program>[0], { run }: Doings): void {
  const at = args.findIndex(({ text }) => text === "-m");
  if (at !== -1) run(args.slice(at + 1));
}

function readCode(code: string, language: Language, { write, doubt }: Doings, name: string): void {
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
        else write(plain(unquoted(text)), { why: `code of ${name}` });
      }
    }
  }
  if (open.some((end) => !understood.has(end))) doubt(name, "a file its code writes is not known");
  if (runsOthers.test(code)) doubt(name, "its code starts other programs");
}

function unquoted(text: string): string {
  return text.slice(1, -1).replaceAll(/\\(.)/g, "$1");
}
