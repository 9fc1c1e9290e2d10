/** Files and commands of an awk program: `print > file`, `print | command`, `system(…)`, `-i inplace`. */
import { escapeGlob, type Field, mapped, pattern, plain } from "../field.ts";
import type { Doings, Program } from "../program.ts";
import { readOptions } from "../read-options.ts";

const text = String.raw`"(?:[^"\\]|\\.)*"`;
const expression = String.raw`((?:${text}|[\w$]+(?:\[[^\]]*\])?|\s|\.)+)`;
/** A comparison stands in parentheses behind print, so a bare sign is a redirect. */
const printed = new RegExp(String.raw`\bprintf?\b((?:${text}|\([^()]*\)|[^;}\n">|])*)(>>?|\|&?)\s*${expression}`, "g");
const started = new RegExp(String.raw`\bsystem\s*\(\s*((?:${text}|[^()])*)\)`, "g");
const piped = new RegExp(String.raw`(${text})\s*\|&?\s*getline`, "g");

export const awk: Program = (args, doings, name) => {
  const { operands, has, values } = readOptions(args, {
    letters: "Fvfie",
    words: ["include", "field-separator", "assign", "file", "source", "exec"],
    stopAtOperand: true,
  });
  if (has("version", "help", "W")) return;
  const scripts = values("f", "file");
  const codes = [
    ...values("e", "source"),
    ...(scripts.length === 0 && !has("e", "source") ? operands.slice(0, 1) : []),
  ];
  const files = (codes.length > 0 && !has("e", "source") ? operands.slice(1) : operands).filter(
    ({ text: one }) => !/^[A-Za-z_]\w*=/.test(one),
  );
  const variables = [...values("v", "assign"), ...operands.filter(({ text: one }) => /^[A-Za-z_]\w*=/.test(one))];
  if (values("i", "include").some(({ text: one }) => one === "inplace"))
    for (const file of files) doings.write(file, { why: "awk -i inplace" });
  for (const code of [...codes, ...scripts.map((file): Field => contentOf(file, doings))])
    if (code.unknown === undefined) readForFiles(code.text, variables, files, doings, name);
    else doings.doubt(name, `its program ${code.unknown} is not known`);
};

const mostFiles = 20;

/** `FILENAME` is each of the files in turn. */
function readForFiles(
  code: string,
  variables: readonly Field[],
  files: readonly Field[],
  doings: Doings,
  name: string,
): void {
  const known = files.filter((one) => (one.unknown ?? one.glob) === undefined);
  if (!/\bFILENAME\b/.test(code) || known.length < files.length || known.length > mostFiles)
    return readProgram(code, variables, files, doings, name);
  for (const file of known)
    readProgram(code, [...variables, mapped(file, (text) => `FILENAME=${text}`)], files, doings, name);
}

function contentOf(file: Field, { read }: Doings): Field {
  const found = read(file);
  return found === undefined ? { text: "", unknown: file.unknown ?? file.text } : plain(found);
}

function readProgram(
  code: string,
  variables: readonly Field[],
  files: readonly Field[],
  doings: Doings,
  name: string,
): void {
  const names = new Map<string, Field>();
  for (const one of variables)
    names.set(
      one.text.slice(0, one.text.indexOf("=")),
      mapped(one, (all) => all.slice(all.indexOf("=") + 1)),
    );
  for (const [, to = "", value = ""] of code.matchAll(
    new RegExp(String.raw`\b([A-Za-z_]\w*)\s*=\s*(${text})\s*(?=[;}\n]|$)`, "g"),
  ))
    names.set(to, plain(unquoted(value)));
  const valueOf = (source: string): Field | undefined => concatenation(source, names);
  for (const [, , sign = "", target = ""] of code.matchAll(printed)) {
    const value = valueOf(target);
    if (value !== undefined && sign.startsWith(">")) doings.write(value, { why: "awk print >" });
    else if (value !== undefined) doings.shell(value.text);
    else maybe(target, files, doings, name);
  }
  for (const [, source = ""] of code.matchAll(started)) {
    const value = valueOf(source);
    if (value !== undefined) doings.shell(value.text);
    else startWithWords(source, files, doings, name);
  }
  for (const [, source = ""] of code.matchAll(piped)) doings.shell(unquoted(source));
  if (/\|&?\s*getline/.test(code) && !new RegExp(piped.source).test(code))
    doings.doubt(name, "its program starts another one");
}

/** `"rm -f " $1`: the words of its input stand in place of the fields. */
function startWithWords(
  source: string,
  files: readonly Field[],
  { shell, doubt, read, input }: Doings,
  name: string,
): void {
  doubt(name, "its program starts another one");
  const head = new RegExp(`^\\s*(${text})`).exec(source)?.[1];
  const lines = files.length === 0 ? [input.text ?? ""] : files.map((file) => read(file) ?? "");
  const words = new Set(lines.flatMap((all) => all.split(/\s+/)).filter((word) => /^[\w./-]*[/.][\w./-]*$/.test(word)));
  if (head !== undefined) for (const word of [...words].slice(0, 50)) shell(`${unquoted(head)}${word}`);
}

/** A name made of fields: files beside its input may be meant. */
function maybe(target: string, files: readonly Field[], { doubt, write }: Doings, name: string): void {
  doubt(name, "a file its program writes is not known");
  for (const [literal] of target.matchAll(new RegExp(text, "g")))
    if (/[/.]/.test(literal)) write(pattern(`${escapeGlob(unquoted(literal))}*`), { why: "awk print >" });
  for (const file of files)
    if (file.unknown === undefined && file.text.includes("/"))
      write(pattern(`${escapeGlob(file.text.slice(0, file.text.lastIndexOf("/")))}/*`), { why: "awk print >" });
}

function concatenation(source: string, names: ReadonlyMap<string, Field>): Field | undefined {
  let all = "";
  for (const [part] of source.trim().matchAll(new RegExp(`${text}|[^\\s"]+`, "g"))) {
    const value = part.startsWith('"') ? plain(unquoted(part)) : /^\d+$/.test(part) ? plain(part) : names.get(part);
    if (value === undefined || value.unknown !== undefined) return undefined;
    all += value.text;
  }
  return all === "" ? undefined : plain(all);
}

function unquoted(literal: string): string {
  return literal.slice(1, -1).replaceAll(/\\(.)/g, "$1");
}
