/** Subcommands of git that change files of the working tree. Paths where they are named; the whole tree is unknown. */
import { baseName, type Field, inFolder, mapped, pattern, plain } from "../field.ts";
import type { Doings, Program } from "../program.ts";
import { type Options, readOptions } from "../read-options.ts";
import { writePatched } from "./patches.ts";

type Subcommand = (args: readonly Field[], doings: Doings) => void;

export const git: Program = (args, doings) => {
  const { operands, value } = readOptions(args, {
    letters: "Cc",
    words: ["git-dir", "work-tree", "namespace"],
    stopAtOperand: true,
  });
  const [name, ...rest] = operands;
  if (name === undefined) return;
  const folder = value("C");
  if (folder !== undefined) return doings.run([plain("git"), name, ...rest], { cwd: folder });
  if (Object.hasOwn(subcommands, name.text)) subcommands[name.text]!(rest, doings);
};

function wide(name: string): Subcommand {
  return (args, { doubt }) => {
    if (!args.some(({ text }) => text === "--help" || text === "-h"))
      doubt(`git ${name}`, "it may change the whole tree");
  };
}

/** What stands behind `--` is a path; before it only what cannot be a branch. */
const checkout: Subcommand = (args, doings) => {
  const paths = behindDashes(args);
  if (paths !== undefined) return writeAll(paths, doings, "git checkout");
  const { operands, has } = readOptions(args, { letters: "bB", words: ["orphan", "conflict"] });
  if (has("b", "B", "orphan")) return operands.length > 0 ? wide("checkout")(args, doings) : undefined;
  const [first, ...others] = operands;
  if (first === undefined) return;
  if (others.length > 0) return writeAll(looksLikePath(first) ? operands : others, doings, "git checkout");
  if (looksLikePath(first)) writeAll([first], doings, "git checkout");
  else wide("checkout")(args, doings);
};

const restore: Subcommand = (args, doings) => {
  const { operands, has } = readOptions(args, { letters: "s", words: ["source", "pathspec-from-file"] });
  if (has("staged", "S") && !has("worktree", "W")) return;
  if (has("pathspec-from-file")) return wide("restore")(args, doings);
  writeAll(operands, doings, "git restore");
};

const stash: Subcommand = (args, doings) => {
  const [action, ...rest] = args;
  if (["list", "show", "drop", "clear", "create", "store", "branch"].includes(action?.text ?? "")) return;
  const isPush = action?.text === "push" || action?.text.startsWith("-") === true;
  const { operands, has } = readOptions(action?.text === "push" ? rest : args, {
    letters: "m",
    words: ["message", "pathspec-from-file"],
  });
  if (!isPush || operands.length === 0 || has("pathspec-from-file")) wide("stash")(args, doings);
  else writeAll(operands, doings, "git stash");
};

const reset: Subcommand = (args, doings) => {
  if (readOptions(args).has("hard", "merge", "keep")) wide("reset")(args, doings);
};

const clean: Subcommand = (args, doings) => {
  const { operands, has } = readOptions(args, { letters: "e", words: ["exclude"] });
  if (has("n", "dry-run") || !has("f", "force")) return;
  if (operands.length === 0) return wide("clean")(args, doings);
  writeAll(operands, doings, "git clean");
};

const apply: Subcommand = (args, doings) => {
  const { operands, has, value } = readOptions(args, {
    letters: "pC",
    words: ["directory", "exclude", "include", "whitespace"],
  });
  if (has("check", "stat", "numstat", "summary", "cached") && !has("apply", "index")) return;
  const files = operands.filter(({ text, unknown }) => text !== "-" || unknown !== undefined);
  if (files.length > 0 || doings.input.text === undefined) return doings.doubt("git apply", "the patch is not known");
  const folder = value("directory");
  writePatched(doings.input.text, Number(value("p")?.text ?? 1), (path) =>
    doings.write(folder === undefined ? path : inFolder(folder, path), { why: "git apply" }),
  );
};

const remove: Subcommand = (args, doings) => {
  const { operands, has } = readOptions(args);
  if (!has("cached", "n", "dry-run"))
    for (const path of operands) doings.write(pathspec(path), { why: "git rm", below: has("r") });
};

const move: Subcommand = (args, { write }) => {
  const { operands, has }: Options = readOptions(args);
  const target = operands.at(-1);
  const sources = operands.slice(0, -1);
  if (target === undefined || has("n", "dry-run")) return;
  for (const source of sources) write(source, { why: "git mv", below: true });
  const inside = sources.flatMap((source) => baseName(source) ?? []).map((name) => inFolder(target, name));
  const isFolder = sources.length > 1 || target.text.endsWith("/");
  for (const place of isFolder ? inside : [target, ...inside]) write(place, { why: "git mv" });
};

/** The option that names a file the command makes. */
function output(letter: string, word: string, letters = ""): Subcommand {
  return (args, { write }) => {
    const file = readOptions(args, { letters: letters + letter, words: [word] }).value(letter || word, word);
    if (file !== undefined) write(file, { why: `git --${word}` });
  };
}

const worktree: Subcommand = ([action, ...args], { write }) => {
  const [place] = readOptions(args, { letters: "bB" }).operands;
  if (place !== undefined && (action?.text === "add" || action?.text === "remove"))
    write(place, { why: "git worktree", below: true });
};

const clone: Subcommand = (args, { write }) => {
  const [from, to] = readOptions(args, {
    letters: "bocj",
    words: ["branch", "depth", "origin", "reference", "config", "jobs"],
  }).operands;
  const name =
    from === undefined
      ? undefined
      : baseName(mapped(from, (text) => text.replace(/\.git\/?$/, "").replace(/^.*:/, "")));
  const place = to ?? name;
  if (place !== undefined) write(place, { why: "git clone", below: true });
};

function behindDashes(args: readonly Field[]): readonly Field[] | undefined {
  const at = args.findIndex(({ text }) => text === "--");
  return at === -1 ? undefined : args.slice(at + 1);
}

function looksLikePath({ text, glob, unknown }: Field): boolean {
  if (unknown !== undefined) return false;
  return (
    glob !== undefined ||
    text === "." ||
    /^\.{1,2}\//.test(text) ||
    text.endsWith("/") ||
    fileEndings.has(/\.(\w+)$/.exec(text)?.[1]?.toLowerCase() ?? "")
  );
}

/** `release/2.x` and `v1.rc1` are names of branches and tags; these are of files. */
const fileEndings: ReadonlySet<string> = new Set(
  "astro bash c cc cfg clj conf cpp cs css csv dart env ex exs go gradle graphql h hpp hs html ini ipynb java jl js json jsx kt less lock lua md mdx mjs cjs ml mts cts nix php pl png prisma proto ps1 py r rb rs rst sass scala scss sh snap sql svelte svg swift tex tf toml ts tsv tsx txt vue xml yaml yml zig".split(
    " ",
  ),
);

/** A folder as a pathspec means all that is in it. */
function writeAll(paths: readonly Field[], { write }: Doings, why: string): void {
  for (const path of paths) write(pathspec(path), { why, below: !/\.\w+$/.test(path.text) || path.text.endsWith("/") });
}

/** git's own wildcards cross folders. */
function pathspec(field: Field): Field {
  const { text, glob, unknown } = field;
  if (unknown !== undefined || glob !== undefined || !/[*?[]/.test(text)) return field;
  return pattern(text.replace(/(^|\/)\*(?=[^*/])/, "$1**/*"));
}

const subcommands: Readonly<Record<string, Subcommand>> = {
  checkout,
  restore,
  stash,
  reset,
  clean,
  apply,
  rm: remove,
  mv: move,
  switch: (args, doings) =>
    readOptions(args).has("c", "C", "create", "orphan") ? undefined : wide("switch")(args, doings),
  rebase: wide("rebase"),
  merge: wide("merge"),
  "cherry-pick": wide("cherry-pick"),
  revert: wide("revert"),
  pull: wide("pull"),
  am: wide("am"),
  bisect: wide("bisect"),
  submodule: wide("submodule"),
  "sparse-checkout": wide("sparse-checkout"),
  "read-tree": wide("read-tree"),
  "checkout-index": wide("checkout-index"),
  "filter-branch": wide("filter-branch"),
  worktree,
  clone,
  diff: output("", "output"),
  archive: output("o", "output"),
  "format-patch": (_args, { doubt }) => doubt("git format-patch", "the names it makes are not known"),
};
