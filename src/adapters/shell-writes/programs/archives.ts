/** Programs that pack and unpack: the names in an archive are read where it is small and plain. */
import { baseName, type Field, inFolder, mapped, pattern, plain } from "../field.ts";
import type { Doings, Program } from "../program.ts";
import { readOptions } from "../read-options.ts";

const tarWords =
  "file directory exclude transform xform strip-components files-from exclude-from to-command checkpoint-action use-compress-program owner group mode suffix rmt-command info-script new-volume-script index-file newer warning".split(
    " ",
  );

const tar: Program = (args, doings, name) => {
  const { write, shell, doubt } = doings;
  const [first, ...rest] = args;
  if (first === undefined) return;
  const { operands, value, values, has } = readOptions(first.text.startsWith("-") ? args : oldStyle(first.text, rest), {
    letters: "fCTXIFHNVgKb",
    words: tarWords,
  });
  if (has("version", "help")) return;
  for (const command of values(
    "to-command",
    "use-compress-program",
    "I",
    "F",
    "info-script",
    "new-volume-script",
    "rmt-command",
  ))
    runText(command, doings, name);
  for (const action of values("checkpoint-action"))
    if (action.text.startsWith("exec=")) shell(action.text.slice("exec=".length));
  if (has("index-file")) write(value("index-file")!);
  const archive = value("f", "file");
  if (has("remove-files")) for (const source of operands) write(source, { below: true });
  if (has("x", "extract", "get")) {
    if (has("O", "to-stdout", "to-command")) return;
    const folder = value("C", "directory");
    const strip = Number(value("strip-components")?.text ?? 0);
    const isRenamed = has("transform", "xform", "s");
    const isIfAbsent = has("k", "keep-old-files", "skip-old-files");
    const names = operands.length > 0 && !isRenamed ? operands : packedIn(archive, doings);
    if (names === undefined) return doubt(`${name} -x`, "the names in the archive are not known");
    if (isRenamed) {
      for (const one of names)
        for (const to of renamed(one, values("transform", "xform")))
          write(to === undefined ? pattern("**") : placed(to, folder), { why: `${name} -x` });
      return;
    }
    for (const one of names) {
      const inside = mapped(one, (text) =>
        text
          .replace(/^\.?\//, "")
          .split("/")
          .slice(strip)
          .join("/"),
      );
      if (inside.text !== "" || inside.unknown !== undefined)
        write(placed(inside, folder), {
          why: `${name} -x`,
          below: one.text.endsWith("/") || one.text === ".",
          isIfAbsent,
        });
      else if (one.text === "." || one.text === "./") write(folder ?? plain("."), { why: `${name} -x`, below: true });
    }
    return;
  }
  const makes = has("c", "create", "r", "append", "u", "update", "A", "catenate", "concatenate", "delete");
  if (archive !== undefined && archive.text !== "-" && makes) write(archive);
  if (!makes && !has("t", "list", "d", "diff", "compare")) doubt(name, "what it does is not known");
};

/** `tar xzf a.tgz -C src`: letters without a dash, their values behind in order. */
function oldStyle(letters: string, rest: readonly Field[]): readonly Field[] {
  const valued = [...letters].filter((letter) => "fCTXbIFHNVgK".includes(letter));
  const plainLetters = [...letters].filter((letter) => !valued.includes(letter)).join("");
  const own = valued.flatMap((letter, at) => (rest[at] === undefined ? [] : [plain(`-${letter}`), rest[at]]));
  return [...(plainLetters === "" ? [] : [plain(`-${plainLetters}`)]), ...own, ...rest.slice(valued.length)];
}

function packedIn(archive: Field | undefined, { packed, input }: Doings): readonly Field[] | undefined {
  if (archive === undefined || archive.text === "-") return input.names;
  return packed(archive)?.map(plain);
}

function placed(name: Field, folder: Field | undefined): Field {
  return folder === undefined || name.text.startsWith("/") ? name : inFolder(folder, name);
}

/** `--transform s,^,src/,`; undefined where the change is not a plain one. */
function renamed(name: Field, changes: readonly Field[]): readonly (Field | undefined)[] {
  return changes.map(({ text }) => {
    const [, , from, to] = /^s([,/|#@])((?:(?!\1).)*)\1((?:(?!\1).)*)\1[a-z]*$/.exec(text) ?? [];
    if (from === undefined || to === undefined || /[\\[\](*+?.]/.test(from)) return undefined;
    return mapped(name, (one) => one.replace(from === "^" ? /^/ : from, () => to));
  });
}

function runText({ text, unknown }: Field, { shell, doubt }: Doings, name: string): void {
  if (unknown !== undefined) doubt(name, `it starts ${unknown}`);
  else shell(text);
}

const unzip: Program = (args, doings, name) => {
  const options = args.filter(({ text }) => /^-./.test(text)).map(({ text }) => text);
  if (options.some((text) => /^-[a-zA-Z]*[lptvZzc]/.test(text) && !/^-[a-zA-Z]*d/.test(text))) return;
  const { operands, value, has } = readOptions(args, { letters: "dxP" });
  const [archive, ...members] = operands;
  const names = members.length > 0 ? members : archive === undefined ? undefined : doings.packed(archive)?.map(plain);
  if (names === undefined) return doings.doubt(name, "the names in the archive are not known");
  for (const one of names) {
    const inside = has("j") ? baseName(one) : one;
    if (inside !== undefined) doings.write(placed(inside, value("d")), { isIfAbsent: has("n") && !has("o") });
  }
};

/** Names come from its input; `-p` copies them below a folder. */
const cpio: Program = (args, { write, doubt, input }, name) => {
  const { operands, has, value } = readOptions(args, { letters: "FDEHIO", words: ["directory", "file"] });
  if (has("t", "list", "version", "help")) return;
  const out = value("O", "F", "file");
  if (has("o", "create")) return out === undefined ? undefined : write(out);
  const folder = has("p", "pass-through") ? operands[0] : value("D", "directory");
  if (has("p", "pass-through") && input.names !== undefined)
    for (const one of input.names) write(placed(one, folder), { why: name });
  else doubt(name, "the names in the archive are not known");
};

const sevenZip: Program = (args, doings, name) => {
  const [action, archive, ...rest] = args.filter(({ text }) => !text.startsWith("-"));
  const out = args.find(({ text }) => /^-o./.test(text));
  const folder = out === undefined ? undefined : mapped(out, (text) => text.slice(2));
  if (["l", "t", "i", "h", "b"].includes(action?.text ?? "")) return;
  if (["a", "u", "d", "rn"].includes(action?.text ?? "") && archive !== undefined) return doings.write(archive);
  const names = rest.length > 0 ? rest : archive === undefined ? undefined : doings.packed(archive)?.map(plain);
  if (names === undefined) return doings.doubt(name, "the names in the archive are not known");
  for (const one of names) {
    const inside = action?.text === "e" ? baseName(one) : one;
    if (inside !== undefined) doings.write(placed(inside, folder));
  }
};

/** `gzip a` makes `a.gz` and removes `a`; some keep it unless told. */
function compress(ending: string, keeps = false): Program {
  return (args, { write }) => {
    const { operands, has, value } = readOptions(args, {
      letters: "So",
      words: ["suffix", "output", "output-dir-flat", "output-dir-mirror"],
    });
    const out = value("o", "output");
    if (out !== undefined) write(out);
    if (has("c", "stdout", "to-stdout", "l", "t", "list", "test", "h", "help", "V", "version")) return;
    const folder = value("output-dir-flat", "output-dir-mirror");
    if (folder !== undefined) return write(folder, { below: true });
    const isGone = keeps ? has("rm", "j") : !has("k", "keep");
    for (const operand of operands) {
      if (isGone || has("d", "decompress", "uncompress")) write(operand, { below: has("r", "recursive") });
      if (out !== undefined) continue;
      if (operand.text.endsWith(ending)) write(mapped(operand, (text) => text.slice(0, -ending.length)));
      else if (!has("d", "decompress")) write(mapped(operand, (text) => text + ending));
    }
  };
}

/** `lz4 from to`: with two operands the second one is written, unless each is a file of its own. */
function ownOutput(each: Program): Program {
  return (args, doings, name) => {
    const { operands, has } = readOptions(args);
    const [, to, ...more] = operands;
    if (to === undefined || more.length > 0 || has("m", "multiple", "r")) return each(args, doings, name);
    if (!["-", "stdout", "null"].includes(to.text) && !has("c", "t", "stdout", "test", "list")) doings.write(to);
    if (has("rm")) doings.write(operands[0]!);
  };
}

/** `ar x lib.a member…` makes the members in the folder; `r`, `q`, `d`, `m`, `s` change the archive. */
const ar: Program = (args, { write, doubt }, name) => {
  const { operands, value } = readOptions(args, { words: ["output", "plugin", "target"] });
  const isDashed = /^-[a-zA-Z]/.test(args[0]?.text ?? "");
  const letters = isDashed ? args[0]!.text : (operands[0]?.text ?? "");
  const [archive, ...members] = isDashed ? operands : operands.slice(1);
  if (/^-?[a-zA-Z]*x/.test(letters)) {
    if (members.length === 0) return doubt(name, "the names in the archive are not known");
    for (const member of members) write(placed(baseName(member) ?? member, value("output")));
  } else if (archive !== undefined && /[rqdms]/.test(letters) && !/^-?[tp]/.test(letters)) write(archive);
};

const zip: Program = (args, { write }) => {
  const { operands, has, value } = readOptions(args, { letters: "xibtO", words: ["out", "exclude", "include"] });
  const [archive, ...sources] = operands;
  if (has("m", "move")) for (const source of sources) write(source, { below: true });
  const out = value("O", "out");
  if (out !== undefined) write(out);
  if (archive !== undefined && archive.text !== "-")
    write(/\.\w+$/.test(archive.text) ? archive : mapped(archive, (text) => `${text}.zip`));
};

/** `python -m zipfile -e a.zip folder`, `-c a.zip file…`. */
const module: Program = (args, doings, name) => {
  const [action, archive, folder] = args;
  if (/^-(?:-?create|c)$/.test(action?.text ?? "") && archive !== undefined) return doings.write(archive);
  if (!/^-(?:-?extract|e)$/.test(action?.text ?? "")) return;
  const names = archive === undefined ? undefined : doings.packed(archive);
  if (names === undefined) return doings.doubt(name, "the names in the archive are not known");
  for (const one of names) doings.write(placed(plain(one), folder));
};

export const archivers: Readonly<Record<string, Program>> = {
  tar,
  bsdtar: tar,
  gtar: tar,
  unzip,
  zip,
  cpio,
  "7z": sevenZip,
  "7za": sevenZip,
  "7zr": sevenZip,
  zipfile: module,
  tarfile: module,
  gzip: compress(".gz"),
  gunzip: compress(".gz"),
  pigz: compress(".gz"),
  uncompress: compress(".Z"),
  compress: compress(".Z"),
  bzip2: compress(".bz2"),
  bunzip2: compress(".bz2"),
  xz: compress(".xz"),
  unxz: compress(".xz"),
  lzma: compress(".lzma"),
  lzip: compress(".lz"),
  zstd: compress(".zst", true),
  unzstd: compress(".zst", true),
  lz4: ownOutput(compress(".lz4", true)),
  unlz4: ownOutput(compress(".lz4", true)),
  brotli: compress(".br", true),
  ar,
};
