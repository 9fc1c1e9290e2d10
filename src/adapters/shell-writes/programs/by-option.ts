/** Programs that name the file they write by an option, or as a certain operand. */
import { asGlob, type Field, inFolder, mapped, pattern, plain } from "../field.ts";
import type { Doings, Program } from "../program.ts";
import { type OptionTerms, readOptions } from "../read-options.ts";

type Terms = OptionTerms & {
  /** Options whose value is a written file. */
  readonly out: readonly string[];
  /** The same for folders. */
  readonly outFolder?: readonly string[];
  /** Single words behind one dash: `openssl … -out file`. */
  readonly isSingleDash?: boolean;
  /** Without the option it writes files whose names are not known. */
  readonly elseUnknown?: boolean;
};

function byOption({ out, outFolder = [], isSingleDash = false, elseUnknown = false, ...terms }: Terms): Program {
  const all = [...out, ...outFolder];
  const letters = (terms.letters ?? "") + all.filter((name) => name.length === 1).join("");
  const words = [...(terms.words ?? []), ...all.filter((name) => name.length > 1)];
  return (args, doings, name) => {
    const own = isSingleDash
      ? args.map((arg) => (/^-[a-zA-Z][\w-]+/.test(arg.text) ? { ...arg, text: `-${arg.text}` } : arg))
      : args;
    const { values, has } = readOptions(own, { ...terms, letters, words });
    const files = values(...out).filter(({ text }) => text !== "-");
    for (const file of files) doings.write(file);
    for (const folder of values(...outFolder)) doings.write(folder, { below: true });
    if (
      elseUnknown &&
      files.length === 0 &&
      values(...outFolder).length === 0 &&
      !has("version", "help", "fsyntax-only")
    )
      doings.unknownProgram(name);
  };
}

const compiler = byOption({ out: ["o", "MF", "dumpdir"], letters: "IDLlxUfmWgOMT", elseUnknown: true });

const curl: Program = (args, doings, name) => {
  const { write, doubt, read, input } = doings;
  const { operands, has, value, values } = readOptions(args, {
    letters: "oHdXAbcFuemrKTxyYDEQCzPtwUwh",
    words:
      "output header data request user-agent cookie cookie-jar form user url max-time retry connect-timeout unix-socket data-binary data-raw data-urlencode dump-header output-dir referer proxy cacert cert key range trace trace-ascii stderr write-out upload-file config resolve interface json etag-save etag-compare hsts alt-svc limit-rate retry-delay libcurl".split(
        " ",
      ),
  });
  for (const file of values("K", "config")) {
    const text = file.text === "-" ? input.text : read(file);
    if (text === undefined) doubt(name, `what ${file.unknown ?? file.text} says is not known`);
    else curl(settingsIn(text), doings, name);
  }
  const folder = value("output-dir");
  // `#1` stands for a part of the address.
  const here = (file: Field): Field => {
    const place = folder === undefined ? file : inFolder(folder, file);
    return /#\d/.test(place.text) && place.unknown === undefined
      ? pattern(asGlob(place).replaceAll(/#\d/g, "*"))
      : place;
  };
  if (has("T", "upload-file"))
    for (const url of [...operands, ...values("url")]) if (url.text.startsWith("file:")) write(placeOf(url));
  for (const file of values("o", "output")) if (file.text !== "-") write(here(file));
  for (const file of values(
    "c",
    "cookie-jar",
    "D",
    "dump-header",
    "trace",
    "trace-ascii",
    "stderr",
    "etag-save",
    "libcurl",
    "hsts",
    "alt-svc",
  ))
    if (file.text !== "-") write(file);
  if (has("O", "remote-name", "remote-name-all", "J"))
    for (const url of [...operands, ...values("url")]) write(here(remoteName(url)));
};

/** `output = "a"`, `silent`: an option in each line. */
function settingsIn(text: string): readonly Field[] {
  return text.split("\n").flatMap((line) => {
    const [, name, value] = /^\s*-{0,2}([A-Za-z][\w-]*)\s*[=:\s]?\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined) return [];
    const dashes = name.length === 1 ? "-" : "--";
    return [`${dashes}${name}`, ...(value === "" ? [] : [value!.replace(/^"(.*)"$/, "$1")])].map(plain);
  });
}

/** `file:///a`, `file://localhost/a` */
function placeOf(url: Field): Field {
  return mapped(url, (text) => text.replace(/^file:(?:\/\/[^/]*)?/, ""));
}

const wget: Program = (args, doings, name) => {
  const { write, doubt } = doings;
  const { operands, value, values, has } = readOptions(args, {
    letters: "OoPUtaiTQwBADRIXe",
    words:
      "execute config output-document output-file append-output directory-prefix header user-agent tries post-data input-file timeout save-cookies rejected-log warc-file".split(
        " ",
      ),
  });
  for (const { text, unknown } of values("e", "execute"))
    if (unknown !== undefined) doubt(name, `its setting ${unknown} is not known`);
    else wget([plain(`--${text.replaceAll("_", "-").replace(/\s*=\s*/, "=")}`)], doings, name);
  if (has("config")) doubt(name, "its settings are not looked into");
  for (const file of values("o", "output-file", "logfile", "a", "append-output", "save-cookies", "rejected-log"))
    write(file);
  if (has("spider", "version", "help")) return;
  const file = value("O", "output-document");
  if (file !== undefined) return file.text === "-" ? undefined : write(file);
  if (has("r", "recursive", "m", "mirror", "i", "input-file", "p", "page-requisites"))
    return doubt("wget", "the names it makes are not known");
  const folder = value("P", "directory-prefix");
  for (const url of operands)
    write(folder === undefined ? remoteName(url) : { ...url, text: `${folder.text}/${remoteName(url).text}` });
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

/** The operand at this place is written. */
function operand(at: number, terms: OptionTerms = {}): Program {
  return (args, { write }) => {
    const file = readOptions(args, terms).operands[at];
    if (file !== undefined && file.text !== "-") write(file);
  };
}

/** The names that it makes begin with its last operand, or with an option's value. */
function prefixed(
  letters: string,
  words: readonly string[],
  from: (options: ReturnType<typeof readOptions>) => Field | undefined,
  standard: string,
): Program {
  return (args, { write }) => {
    const prefix = from(readOptions(args, { letters, words })) ?? { text: standard };
    if (prefix.unknown !== undefined) return write(prefix);
    write({
      text: `${prefix.text}*`,
      glob: `${prefix.glob ?? prefix.text.replaceAll(/[\\*?[\]{}()!@+]/g, String.raw`\$&`)}*`,
    });
  };
}

export const byOptionPrograms: Readonly<Record<string, Program>> = {
  curl,
  wget,
  uniq: operand(1, { letters: "fsw", words: ["skip-fields", "skip-chars", "check-chars"] }),
  xxd: operand(1, { letters: "cgloRs" }),
  "json.tool": operand(1, { words: ["indent"] }),
  pdftotext: operand(1, { letters: "flrxyWH" }),
  convert: (args, { write }) => write(args.at(-1)!),
  magick: (args, { write }) => (args.length > 0 ? write(args.at(-1)!) : undefined),
  ffmpeg: (args, { write }) => (args.length > 1 ? write(args.at(-1)!) : undefined),
  split: prefixed(
    "abClnt",
    ["suffix-length", "bytes", "lines", "number", "filter", "additional-suffix"],
    ({ operands }) => operands[1],
    "x",
  ),
  csplit: prefixed("fbn", ["prefix", "suffix-format", "digits"], ({ value }) => value("f", "prefix"), "xx"),
  shuf: byOption({ out: ["o", "output"], letters: "nrie", words: ["head-count"] }),
  iconv: byOption({ out: ["o", "output"], letters: "ft", words: ["from-code", "to-code"] }),
  sort: byOption({
    out: ["o", "output"],
    letters: "ktST",
    words: ["key", "field-separator", "buffer-size", "temporary-directory", "files0-from", "parallel", "batch-size"],
  }),
  tree: byOption({ out: ["o"], letters: "LPIT", words: ["filelimit", "charset"] }),
  less: (args, doings, name) => {
    for (const { text } of args) if (text.startsWith("+!")) doings.shell(text.slice(2));
    byOption({ out: ["o", "O", "log-file"], letters: "bhjkpPtTxyz" })(args, doings, name);
  },
  ...named("fd fdfind", (args, { run }) => {
    const at = args.findIndex(({ text }) => /^(?:-x|-X|--exec|--exec-batch)$/.test(text));
    if (at === -1) return;
    const found = { text: "**", glob: "**" };
    const command = args.slice(at + 1).filter(({ text }) => text !== ";");
    const isMarked = command.some(({ text }) => text.includes("{}"));
    run(isMarked ? command.map((one) => (one.text.includes("{}") ? found : one)) : [...command, found], { input: {} });
  }),
  ...named("hg svn jj", (args, { write, unknownProgram }, name) => {
    const { operands } = readOptions(args, { letters: "rmR" });
    const [action, ...files] = operands;
    if (
      /^(?:status|st|log|diff|cat|annotate|blame|id|identify|summary|info|list|ls|help|show|branches|tags|paths|root)$/.test(
        action?.text ?? "help",
      )
    )
      return;
    if (/^(?:revert|rm|remove|delete|mv|move|rename|cp|copy|restore)$/.test(action!.text))
      for (const file of files) write(file, { below: !/\.\w+$/.test(file.text) });
    unknownProgram(`${name} ${action!.text}`);
  }),
  sdiff: byOption({ out: ["o", "output"], letters: "wI" }),
  ...named("gcc cc g++ c++ clang clang++ tcc", compiler),
  rustc: byOption({
    out: ["o"],
    outFolder: ["out-dir"],
    letters: "CLl",
    words: ["edition", "crate-type", "emit"],
    elseUnknown: true,
  }),
  ...named("ld as ldc gnatmake ghc ocamlc nasm yasm fpc", byOption({ out: ["o"], elseUnknown: true })),
  ...named("bison yacc", byOption({ out: ["o", "output"], letters: "b", elseUnknown: true })),
  flex: byOption({ out: ["o", "outfile"], elseUnknown: true }),
  javac: byOption({ out: [], outFolder: ["d"], isSingleDash: true, words: ["cp", "classpath"], elseUnknown: true }),
  objcopy: (args, { write }) => {
    const { operands } = readOptions(args, { letters: "IOBjR" });
    if (operands.length > 0) write(operands.at(-1)!);
  },
  strip: (args, { write }) => {
    const { operands, value } = readOptions(args, { letters: "oRNK" });
    const out = value("o");
    for (const file of out === undefined ? operands : [out]) write(file);
  },
  pandoc: byOption({
    out: ["o", "output"],
    letters: "ftVMHBAsc",
    words: ["from", "to", "metadata", "variable", "template", "filter", "lua-filter"],
  }),
  openssl: byOption({
    out: ["out", "keyout", "writerand", "CAserial"],
    isSingleDash: true,
    words: ["in", "inkey", "passin", "passout", "subj", "days", "newkey", "pass", "k", "kfile", "key", "config"],
  }),
  "ssh-keygen": byOption({ out: ["f"], letters: "tbNCPOIn", elseUnknown: true }),
  ...named(
    "gpg gpg2",
    byOption({
      out: ["o", "output"],
      letters: "ru",
      words: ["recipient", "local-user", "homedir", "passphrase"],
      elseUnknown: true,
    }),
  ),
  age: byOption({ out: ["o", "output"], letters: "riR" }),
  dot: byOption({ out: ["o"], letters: "TKGNE" }),
  xsltproc: byOption({ out: ["o", "output"], words: ["stringparam", "param"] }),
  xmllint: byOption({ out: ["o", "output"], words: ["xpath", "schema", "encode"] }),
  tidy: (args, { write }) => {
    const { operands, has, value } = readOptions(args, { letters: "ofw" });
    const out = value("o", "f");
    if (out !== undefined) write(out);
    if (has("m", "modify")) for (const file of operands) write(file);
  },
  ...named("wkhtmltopdf wkhtmltoimage", (args, { write }) => write(args.at(-1)!)),
  jq: byOption({ out: [], letters: "", words: ["arg", "argjson", "slurpfile", "rawfile", "indent"] }),
  tcpdump: byOption({ out: ["w"], letters: "cirs" }),
  strings: byOption({ out: [], letters: "nto" }),
  yq: (args, { write }) => {
    const { operands, has } = readOptions(args, { letters: "op", words: ["output-format", "input-format"] });
    const files = operands.filter(({ text }) => !/^(?:eval|e|eval-all|ea)$/.test(text));
    if (has("i", "inplace", "in-place")) for (const file of files.slice(1)) write(file, { why: "yq -i" });
  },
  ...named("xmlstarlet xml", (args, { write }) => {
    const { operands, has } = readOptions(args, { letters: "uvdsinatrmx", stopAtOperand: false });
    if (has("L", "inplace")) for (const file of operands.slice(-1)) write(file);
  }),
  crudini: (args, { write }) => {
    const { operands } = readOptions(args, { stopAtOperand: false });
    if (args.some(({ text }) => /^--(?:set|del|merge)$/.test(text)) && operands[0] !== undefined) write(operands[0]);
  },
  ...named(
    "exiftool jpegoptim optipng pngquant svgo setfattr setfacl chattr dos2unix unix2dos mac2unix fallocate rename prename recode sponge mogrify detox fromdos todos convmv",
    (args, { write, unknownProgram }, name) => {
      const { operands, values } = readOptions(args, { letters: "lomnvxfto" });
      if (args.some(({ text }) => /^--(?:help|version|dry-run)$/.test(text))) return;
      for (const file of [...operands, ...values("o")])
        if (/[/.]/.test(file.text) || file.unknown !== undefined || file.glob !== undefined) write(file);
      if (["svgo", "exiftool", "rename", "prename", "convmv"].includes(name)) unknownProgram(name);
    },
  ),
  envsubst: () => {},
  protoc: (args, doings, name) => {
    for (const { text } of args) {
      const folder = /^--\w+_out=(?:.*:)?(.+)$/.exec(text)?.[1];
      if (folder !== undefined) doings.write({ text: folder }, { below: true });
    }
    byOption({ out: ["o", "descriptor_set_out"], letters: "I", elseUnknown: true })(args, doings, name);
  },
};

function named(names: string, program: Program): Record<string, Program> {
  return Object.fromEntries(names.split(" ").map((name) => [name, program]));
}

const longOutputs =
  "--(?:out|output|output-file|outputFile|out-file|outfile|outFile|output-path|output-document|target-file|dest|destination|write-to|save|save-to|log-file|logfile|report-file|result-file|export|to-file)";
const outputs = new RegExp(`^(?:${longOutputs})(?:=(.+))?$`, "s");
const outputsWithLetters = new RegExp(`^(?:-o|-O|-out|${longOutputs})(?:=(.+))?$`, "s");
const outputFolders = /^--?(?:out-?dir|output-?dir(?:ectory)?|outDir|dest-?dir|target-?dir|save-?dir)(?:=(.+))?$/s;

/** What names its output by an option names it whatever the program is. */
export function writeOutputs(args: readonly Field[], { write }: Pick<Doings, "write">, hasLetters = true): void {
  const files = hasLetters ? outputsWithLetters : outputs;
  for (const [at, arg] of args.entries()) {
    if (!arg.text.startsWith("-")) continue;
    const isFolder = outputFolders.test(arg.text);
    const found = (isFolder ? outputFolders : files).exec(arg.text);
    if (found === null) continue;
    const value = found[1] === undefined ? args[at + 1] : mapped(arg, (text) => text.slice(text.indexOf("=") + 1));
    if (value !== undefined && !value.text.startsWith("-")) write(value, { below: isFolder });
  }
}
