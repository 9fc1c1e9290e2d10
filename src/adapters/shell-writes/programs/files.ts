/** Programs that make, copy, move and remove files. */
import { baseName, type Field, inFolder, mapped, opaque, plain } from "../field.ts";
import type { Doings, Program } from "../program.ts";
import { type Options, type OptionTerms, readOptions } from "../read-options.ts";

/** Every operand is written. */
function eachOperand(terms: OptionTerms = {}, recursive: readonly string[] = [], isNameOnly = false): Program {
  return (args, { write }) => {
    const { operands, has } = readOptions(args, terms);
    for (const operand of operands) write(operand, { below: has(...recursive), isNameOnly });
  };
}

/** The first operand says what; with `--reference` all are files. `-x` is a mode, not an option. */
const chmod: Program = (args, { write }) => {
  const isMode = ({ text }: Field): boolean => /^-[rwxXstugo]+(?:[-+=,].*)?$/.test(text);
  const modes = args.filter(isMode).length;
  const { operands, has } = readOptions(args.filter((arg) => !isMode(arg)));
  for (const operand of operands.slice(modes > 0 || has("reference") ? 0 : 1))
    write(operand, { below: has("R", "recursive") });
};

const chown: Program = (args, { write }) => {
  const { operands, has } = readOptions(args);
  for (const operand of operands.slice(has("reference") ? 0 : 1)) write(operand, { below: has("R", "recursive") });
};

const copyTerms: OptionTerms = { letters: "tS", words: ["target-directory", "suffix"] };
const installTerms: OptionTerms = { letters: "tSmog", words: ["target-directory", "suffix", "mode", "owner", "group"] };

const cp: Program = (args, { write, read, keep, link }) => {
  const options = readOptions(args, copyTerms);
  const { has } = options;
  const below = has("r", "R", "a", "recursive", "archive");
  if (has("parents")) for (const place of placesWithParents(options)) write(place, { below });
  if (has("parents")) return;
  const isIfAbsent = isCareful(options);
  const places = placesOf(options, below);
  for (const place of places) write(place, { below, isIfAbsent });
  const [source, target] = options.operands;
  if (has("l", "link", "s", "symbolic-link")) for (const place of places) link(place, sourceOf(place, options));
  if (options.operands.length === 2) keep(target!, read(source!));
};

/** `cp --parents src/a.ts out` makes out/src/a.ts. */
function placesWithParents({ operands, value }: Options): readonly Field[] {
  const given = value("t", "target-directory");
  const target = given ?? operands.at(-1);
  const sources = given === undefined ? operands.slice(0, -1) : operands;
  return target === undefined ? [] : sources.map((source) => inFolder(target, source));
}

/** A file that is there stays as it is. */
function isCareful({ has, value }: Options): boolean {
  return has("n", "no-clobber") || value("update")?.text.startsWith("none") === true;
}

/** Of a copy that is a link: the file that it is one of. Which one is not known where there are several. */
function sourceOf(place: Field, { operands, value }: Options): Field {
  const sources = value("t", "target-directory") === undefined ? operands.slice(0, -1) : operands;
  const name = baseName(place);
  return (
    (sources.length === 1 ? sources[0] : sources.find((one) => baseName(one)?.text === name?.text)) ?? opaque("cp -l")
  );
}

const mv: Program = (args, { write }) => {
  const options = readOptions(args, copyTerms);
  const isIntoFolder = options.has("t", "target-directory");
  for (const source of isIntoFolder ? options.operands : options.operands.slice(0, -1)) write(source, { below: true });
  for (const place of placesOf(options, false)) write(place, { isIfAbsent: isCareful(options) });
};

const install: Program = (args, { write }) => {
  const options = readOptions(args, installTerms);
  const places = options.has("d", "directory") ? options.operands : placesOf(options, false);
  for (const place of places) write(place);
};

const ln: Program = (args, { write, link }) => {
  const options = readOptions(args, copyTerms);
  const [only, second] = options.operands;
  const alone =
    only !== undefined && second === undefined && !options.has("t", "target-directory") ? baseName(only) : undefined;
  const places = alone === undefined ? placesOf(options, false) : [alone];
  // Without force it makes nothing in place of a file that is there.
  for (const place of places) write(place, { isIfAbsent: !options.has("f", "force", "b", "backup", "i") });
  const isSymbolic = options.has("s", "symbolic") && !options.has("r", "relative");
  for (const place of places) {
    const source = alone === undefined ? sourceOf(place, options) : only!;
    link(place, isSymbolic ? besides(place, source) : source);
  }
};

/** A symbolic link leads from its own folder. */
export function besides(place: Field, target: Field): Field {
  if (target.text.startsWith("/") || !place.text.includes("/")) return target;
  return inFolder(
    mapped(place, (text) => text.replace(/[^/]*$/, "")),
    target,
  );
}

/** Where the copies land. Whether the last operand is a folder cannot be seen here: then both readings count. */
function placesOf({ operands, has, value }: Options, isWhole: boolean): readonly Field[] {
  const given = value("t", "target-directory");
  const target = given ?? operands.at(-1);
  const sources = given === undefined ? operands.slice(0, -1) : operands;
  if (target === undefined || sources.length === 0) return [];
  const inside = sources.flatMap((source) => {
    const name = baseName(source);
    return name === undefined ? [target] : [inFolder(target, name)];
  });
  const isFolder =
    given !== undefined ||
    sources.length > 1 ||
    (sources[0]!.glob !== undefined && target.glob === undefined && !/\.\w+$/.test(target.text)) ||
    /(?:^|\/)\.{0,2}$/.test(target.text);
  if (isFolder && target.unknown === undefined) return inside;
  return has("T", "no-target-directory") || isWhole ? [target] : [target, ...inside];
}

const dd: Program = (args, { write }) => {
  for (const arg of args) if (arg.text.startsWith("of=")) write(mapped(arg, (text) => text.slice("of=".length)));
};

const rsyncWords = [
  "exclude",
  "include",
  "filter",
  "rsh",
  "exclude-from",
  "include-from",
  "files-from",
  "backup-dir",
  "chmod",
  "chown",
  "temp-dir",
  "log-file",
  "compare-dest",
  "link-dest",
  "out-format",
  "suffix",
];
const rsync: Program = (args, { write, doubt, shell }) => {
  const { operands, has, values } = readOptions(args, { letters: "efTM", words: rsyncWords });
  for (const { text, unknown } of values("e", "rsh")) if (unknown === undefined) shell(text);
  for (const file of values("log-file")) write(file);
  const target = operands.at(-1);
  if (target === undefined || has("n", "dry-run", "list-only")) return;
  if (has("remove-source-files")) for (const source of operands.slice(0, -1)) write(source, { below: true });
  if (operands.length < 2 || isRemote(target)) return;
  if (has("existing") && has("ignore-existing")) return;
  const [source] = operands;
  const name = source === undefined ? undefined : baseName(source);
  const isWhole = has("a", "r", "archive", "recursive");
  if (isWhole && operands.length === 2 && source!.text.endsWith("/")) write(target, { below: true });
  else if (isWhole) for (const one of operands.slice(0, -1)) writeInside(target, one, write);
  else if (name !== undefined && operands.length === 2)
    for (const place of target.text.endsWith("/") ? [inFolder(target, name)] : [target, inFolder(target, name)])
      write(place, { isIfAbsent: has("ignore-existing") });
  else doubt("rsync", "the files it copies are not known");
};

function writeInside(target: Field, source: Field, write: Doings["write"]): void {
  const name = baseName(source);
  write(name === undefined ? target : inFolder(target, name), { below: true });
}

const scp: Program = (args, { write }) => {
  const options = readOptions(args, { letters: "cFiJloPSD" });
  const target = options.operands.at(-1);
  if (target === undefined || isRemote(target)) return;
  for (const place of placesOf({ ...options, has: () => false, value: () => undefined }, options.has("r")))
    write(place, { below: options.has("r") });
};

function isRemote({ text }: Field): boolean {
  return /^[^/]*:/.test(text);
}

export const filePrograms: Readonly<Record<string, Program>> = {
  rm: eachOperand({}, ["r", "R", "recursive"], true),
  rmdir: eachOperand(),
  unlink: eachOperand({}, [], true),
  shred: eachOperand({ letters: "ns" }),
  mkdir: eachOperand({ letters: "m", words: ["mode"] }),
  mkfifo: eachOperand({ letters: "m", words: ["mode"] }),
  touch: eachOperand({ letters: "dtr", words: ["date", "reference"] }),
  truncate: eachOperand({ letters: "sr", words: ["size", "reference"] }),
  tee: (args, { write, input, keep }) => {
    for (const file of readOptions(args).operands) {
      write(file);
      keep(file, readOptions(args).has("a", "append") ? undefined : input.text);
    }
  },
  trash: eachOperand({}, [""]),
  chmod,
  chown,
  chgrp: chown,
  cp,
  gcp: cp,
  mv,
  gmv: mv,
  install,
  ln,
  dd,
  rsync,
  scp,
  mktemp: () => {},
  mknod: (args, { write }) => write(readOptions(args, { letters: "m" }).operands[0] ?? plain("")),
};
