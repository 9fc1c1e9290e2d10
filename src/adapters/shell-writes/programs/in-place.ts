/** Programs that change files in place or name their output by an option. */
import { type Field, mapped, plain } from "../field.ts";
import type { Doings, Program } from "../program.ts";
import { readOptions } from "../read-options.ts";
import { backup } from "./interpreters.ts";
import { sedOutputs } from "./sed-script.ts";

const sedTerms = { letters: "efl", words: ["expression", "file", "line-length"] };

/** GNU: `-i`, `-i.bak`, `--in-place=.bak`. BSD: `-i ''`, `-i .bak`. */
const sed: Program = (args, doings) => {
  const { write } = doings;
  const at = args.findIndex(({ text }) => /^(?:-[nErsuz]*i|--in-place(?:=|$))/.test(text));
  if (at === -1) return writeOutputs(args, doings);
  const own = args[at]!.text.replace(/^(?:-[nErsuz]*i|--in-place=?)/, "");
  const next = args[at + 1];
  const isBsd = own === "" && next?.unknown === undefined && /^(?:|\.[\w~-]+)$/.test(next?.text ?? "none");
  const { operands, has } = readOptions(args.toSpliced(at, isBsd ? 2 : 1), sedTerms);
  writeOutputs(args.toSpliced(at, isBsd ? 2 : 1), doings);
  const suffix = isBsd ? next!.text : own;
  for (const file of has("e", "f", "expression", "file") ? operands : operands.slice(1)) {
    write(file, { why: "sed -i" });
    if (suffix !== "") write(backup(file, suffix), { why: "sed -i" });
  }
};

function writeOutputs(args: readonly Field[], { write }: Doings): void {
  const { operands, has, values } = readOptions(args, sedTerms);
  const scripts = has("e", "f", "expression", "file") ? values("e", "expression") : operands.slice(0, 1);
  for (const { text, unknown } of scripts)
    if (unknown === undefined) for (const file of sedOutputs(text)) write(plain(file), { why: "sed w" });
}

const awk: Program = (args, { write, shell, doubt }) => {
  const { operands, has, value, values } = readOptions(args, {
    letters: "Fvfi",
    words: ["include", "field-separator", "assign", "file"],
    stopAtOperand: true,
  });
  const isInPlace = value("i", "include")?.text === "inplace";
  const code = has("f", "file") ? undefined : operands[0];
  if (isInPlace)
    for (const file of operands.slice(code === undefined ? 0 : 1))
      if (!/^\w+=/.test(file.text)) write(file, { why: "awk -i inplace" });
  for (const [, path] of (code?.text ?? "").matchAll(/\bprintf?\b[^|;}"]*(?:"[^"]*"[^|;}">]*)*>>?\s*"([^"\\]+)"/g))
    if (path !== undefined) write(plain(path), { why: "awk print >" });
  const text = code?.text ?? "";
  for (const [, command] of text.matchAll(/\bsystem\s*\(\s*"((?:[^"\\]|\\.)*)"/g))
    if (command !== undefined) shell(command);
  for (const [, name = ""] of text.matchAll(/\bprintf?\b[^|;}]*>>?\s*([A-Za-z_]\w*)/g)) {
    const given = values("v", "assign").find((one) => one.text.startsWith(`${name}=`));
    if (given === undefined) doubt(name, "awk print >");
    else
      write(
        mapped(given, (one) => one.slice(name.length + 1)),
        { why: "awk print >" },
      );
  }
};

/** The output is named by an option. */
function output(letters: string, words: readonly string[], more: string, otherWords: readonly string[] = []): Program {
  return (args, { write }, name) => {
    const { value } = readOptions(args, { letters: letters + more, words: [...words, ...otherWords] });
    const file = value(...letters, ...words);
    if (file !== undefined && file.text !== "-") write(file, { why: `${name} -${letters}` });
  };
}

const curl: Program = (args, { write }) => {
  const { operands, has, value } = readOptions(args, {
    letters: "oHdXAbcFuemrKTxyY",
    words: [
      "output",
      "header",
      "data",
      "request",
      "user-agent",
      "cookie",
      "cookie-jar",
      "form",
      "user",
      "url",
      "max-time",
      "retry",
      "connect-timeout",
      "unix-socket",
      "data-binary",
      "data-raw",
      "dump-header",
      "output-dir",
    ],
  });
  for (const file of [value("o", "output"), value("c", "cookie-jar"), value("D", "dump-header")])
    if (file !== undefined && file.text !== "-") write(file);
  if (has("O", "remote-name")) for (const url of operands) write(remoteName(url));
};

const wget: Program = (args, { write, doubt }) => {
  const { operands, value, has } = readOptions(args, {
    letters: "OoPUt",
    words: ["output-document", "output-file", "directory-prefix", "header", "user-agent", "tries", "post-data"],
  });
  const file = value("O", "output-document");
  if (file !== undefined) return file.text === "-" ? undefined : write(file);
  if (has("P", "directory-prefix", "r", "recursive")) return doubt("wget", "the names it makes are not known");
  for (const url of operands) write(remoteName(url));
};

function remoteName(url: Field): Field {
  return mapped(
    url,
    (text) =>
      text
        .replace(/[?#].*$/, "")
        .split("/")
        .at(-1) || "index.html",
  );
}

const tar: Program = (args, { write, doubt }) => {
  const [first, ...rest] = args;
  if (first === undefined) return;
  const isOldStyle = !first.text.startsWith("-");
  const letters = first.text.replace(/^-(?!-)/, "");
  const { operands, value, has } = readOptions(isOldStyle ? [plain(`-${first.text}`), ...rest] : args, {
    letters: "fCTX",
    words: ["file", "directory", "exclude"],
  });
  const makes = (letter: string, word: string): boolean =>
    has(letter, word) || (/^\w+$/.test(letters) && letters.includes(letter));
  const archive = value("f", "file");
  if (has("remove-files")) for (const source of operands) write(source, { below: true });
  if (makes("x", "extract") || has("get")) return doubt("tar -x", "the names in the archive are not known");
  if (
    archive !== undefined &&
    archive.text !== "-" &&
    (makes("c", "create") || makes("r", "append") || makes("u", "update"))
  )
    write(archive);
};

export const inPlacePrograms: Readonly<Record<string, Program>> = {
  sed,
  gsed: sed,
  awk,
  gawk: awk,
  mawk: awk,
  curl,
  wget,
  tar,
  bsdtar: tar,
  unzip: (args, { doubt }) =>
    args.some(({ text }) => /^-[lptvZz]/.test(text))
      ? undefined
      : doubt("unzip", "the names in the archive are not known"),
  uniq: (args, { write }) => {
    const [, out] = readOptions(args, { letters: "fsw", words: ["skip-fields", "skip-chars", "check-chars"] }).operands;
    if (out !== undefined) write(out);
  },
  xxd: (args, { write }) => {
    const [, out] = readOptions(args, { letters: "cgloRs" }).operands;
    if (out !== undefined) write(out);
  },
  "json.tool": (args, { write }) => {
    const [, out] = readOptions(args, { words: ["indent"] }).operands;
    if (out !== undefined) write(out);
  },
  "http.server": () => {},
  shuf: output("o", ["output"], "nri", ["head-count"]),
  iconv: output("o", ["output"], "ft", ["from-code", "to-code"]),
  sort: output("o", ["output"], "ktST", ["key", "field-separator"]),
  gcc: output("o", [], "IDLl"),
  cc: output("o", [], "IDLl"),
  "g++": output("o", [], "IDLl"),
  clang: output("o", [], "IDLl"),
  rustc: output("o", [], "CLl", ["edition", "crate-type"]),
  pandoc: output("o", ["output"], "ftV", ["from", "to"]),
  esbuild: (args, { write }) => {
    const file = readOptions(args).value("outfile");
    if (file !== undefined) write(file);
  },
  yq: (args, { write }) => {
    const { operands, has } = readOptions(args, { letters: "op" });
    if (has("i", "inplace", "in-place"))
      for (const file of operands.filter(({ text }) => text !== "eval" && text !== "e").slice(1))
        write(file, { why: "yq -i" });
  },
};
