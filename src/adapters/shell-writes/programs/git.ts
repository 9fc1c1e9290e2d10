/** Subcommands of git that change files of the working tree: paths where they are named; of the others git is asked. */
import { posix } from "node:path";
import { baseName, type Field, inFolder, mapped, pattern, plain } from "../field.ts";
import type { Doings, Program } from "../program.ts";
import { type Options, readOptions } from "../read-options.ts";
import { config, movesNames, startConfigured } from "./git-state.ts";
import { askForPatch, writePatched } from "./patches.ts";

type Subcommand = (args: readonly Field[], doings: Doings) => void;

/**
 * Global options first, then the subcommand. A name that is not git's own may be an alias: only git knows it.
 *
 *   -C, --work-tree, GIT_WORK_TREE -> the folder    -c alias.x=…, `git config alias.x …` before -> read in its place
 */
export const git: Program = (args, doings) => {
  const options = readOptions(args, { letters: "Cc", words: globalWords, stopAtOperand: true });
  const [name, ...rest] = options.operands;
  if (name === undefined) return;
  const [folder, ...folders] = options.values("C");
  const tree = options.value("work-tree") ?? treeFromEnvironment(doings);
  const configured = options.values("c").flatMap((one) => [plain("-c"), one]);
  startConfigured(options.values("c"), doings);
  if (folder !== undefined || tree !== undefined) {
    const others = [...folders.flatMap((one) => [plain("-C"), one]), ...configured];
    const work = folder !== undefined && tree !== undefined ? [plain("--work-tree"), tree] : [];
    return doings.run([plain("git"), ...others, ...work, name, ...rest], { cwd: (folder ?? tree)! });
  }
  if (name.unknown !== undefined) return doings.doubt(name.unknown, "the git command is not known");
  const subcommand = Object.hasOwn(subcommands, name.text) ? subcommands[name.text] : undefined;
  runHooks(name.text, doings);
  if (subcommand !== undefined) return subcommand([...rest, ...autostash(name.text, options.values("c"))], doings);
  const alias = aliasOf(name.text, options.values("c"), doings);
  if (alias !== undefined) return runAlias(name.text, alias, rest, doings);
  if (!ownRules.has(name.text)) return doings.git([name, ...rest]);
  writeNamedOutput(rest, doings);
  if (movesNames(name.text, rest)) doings.changeRepository(`git ${name.text}`);
};

/** Hooks that the same command line has just written. */
function runHooks(name: string, { read, shell, written }: Doings): void {
  const hooks = hooksOf[name] ?? [];
  for (const hook of hooks) {
    const file = plain(`.git/hooks/${hook}`);
    const text = written(file) ? read(file) : undefined;
    if (text !== undefined) shell(text);
  }
}
const hooksOf: Readonly<Record<string, readonly string[]>> = {
  commit: ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"],
  merge: ["pre-merge-commit", "post-merge", "commit-msg"],
  checkout: ["post-checkout"],
  switch: ["post-checkout"],
  rebase: ["pre-rebase", "post-rewrite"],
  push: ["pre-push"],
  am: ["applypatch-msg", "pre-applypatch", "post-applypatch"],
  pull: ["post-merge"],
};

/** `-c rebase.autoStash=true` is `--autostash`. */
function autostash(name: string, settings: readonly Field[]): readonly Field[] {
  if (!["rebase", "merge", "pull"].includes(name)) return [];
  return settings.some(({ text }) => /^(?:rebase|merge)\.autostash=(?:true|1|yes|on)$/i.test(text))
    ? [plain("--autostash")]
    : [];
}

/** `--output` of any command that shows something. */
function writeNamedOutput(args: readonly Field[], { write }: Doings): void {
  const { values } = readOptions(args, { words: ["output"] });
  for (const file of values("output")) write(file, { why: "git --output" });
}

/** `-x 'command'`: started in the tree. */
function runsText(letters: string, words: readonly string[], then: Subcommand): Subcommand {
  return (args, doings) => {
    for (const { text, unknown } of readOptions(args, { letters, words }).values(...letters, ...words))
      if (unknown === undefined) doings.shell(text);
      else doings.doubt("git", `the command ${unknown} is not known`);
    then(args, doings);
  };
}

const globalWords = ["git-dir", "work-tree", "namespace", "config-env", "super-prefix", "attr-source"];

/** Undefined, too, where it is the folder already. */
function treeFromEnvironment({ valueOf, cwd }: Doings): Field | undefined {
  const tree = valueOf("GIT_WORK_TREE");
  return tree === undefined || posix.resolve(cwd ?? "/", tree.text) === cwd ? undefined : tree;
}

function aliasOf(name: string, configured: readonly Field[], { aliases }: Doings): string | undefined {
  const prefix = `alias.${name}=`;
  return (
    configured.find(({ text }) => text.startsWith(prefix))?.text.slice(prefix.length) ?? aliases.get(`git ${name}`)
  );
}

function runAlias(name: string, alias: string, args: readonly Field[], { shell, aliases }: Doings): void {
  aliases.delete(`git ${name}`);
  shell(`${aliasCommand(alias)} "$@"`, args);
}

/** An alias as a shell would run it; git runs those that begin with `!` from the root of the tree. */
function aliasCommand(alias: string): string {
  return alias.startsWith("!") ? alias.slice(1) : `git ${alias}`;
}

/** Only git knows which files it changes. */
function wide(name: string): Subcommand {
  return (args, { git: ask }) => {
    if (!args.some(({ text }) => text === "--help" || text === "-h")) ask([plain(name), ...args]);
  };
}

/** The same for these of its actions alone. */
function wideUnless(name: string, actions: readonly string[]): Subcommand {
  return (args, doings) => (actions.includes(args[0]?.text ?? "") ? undefined : wide(name)(args, doings));
}

/** What stands behind `--` is a path; before it only what cannot be a branch. */
const checkout: Subcommand = (args, doings) => {
  const paths = behindDashes(args);
  if (paths !== undefined && paths.length > 0) return writeAll(paths, args, doings, "checkout");
  const { operands, has } = readOptions(args, { letters: "bB", words: ["orphan", "conflict", "pathspec-from-file"] });
  const isForced = has("f", "force", "pathspec-from-file", "p", "patch");
  if (has("b", "B", "orphan")) return operands.length > 0 || isForced ? wide("checkout")(args, doings) : undefined;
  const [first, ...others] = operands;
  if (first === undefined) return isForced ? wide("checkout")(args, doings) : undefined;
  if (others.length > 0) return writeAll(looksLikePath(first) ? operands : others, args, doings, "checkout");
  if (looksLikePath(first)) writeAll([first], args, doings, "checkout");
  else wide("checkout")(args, doings);
};

const restore: Subcommand = (args, doings) => {
  const { operands, has } = readOptions(args, { letters: "s", words: ["source", "pathspec-from-file"] });
  if (has("staged", "S") && !has("worktree", "W")) return;
  if (has("pathspec-from-file")) return wide("restore")(args, doings);
  writeAll(operands, args, doings, "restore");
};

const stash: Subcommand = (args, doings) => {
  const [action, ...rest] = args;
  if (["list", "show", "drop", "clear", "create", "store"].includes(action?.text ?? "")) return;
  const isPush = action?.text === "push" || action?.text.startsWith("-") === true;
  const { operands, has } = readOptions(action?.text === "push" ? rest : args, {
    letters: "m",
    words: ["message", "pathspec-from-file"],
  });
  if (!isPush || operands.length === 0 || has("pathspec-from-file")) wide("stash")(args, doings);
  else writeAll(operands, args, doings, "stash");
};

/** git takes the beginning of a long option for the whole of it. */
const reset: Subcommand = (args, doings) => {
  if (args.some(({ text }) => /^--(?:h|har|hard|m|me|mer|merg|merge|k|ke|kee|keep)$/.test(text)))
    wide("reset")(args, doings);
};

const clean: Subcommand = (args, doings) => {
  const { operands, has } = readOptions(args, { letters: "e", words: ["exclude"] });
  if (has("n", "dry-run")) return;
  if (operands.length === 0 || !has("f", "force")) return wide("clean")(args, doings);
  writeAll(operands, args, doings, "clean");
};

const apply: Subcommand = (args, doings) => {
  const { operands, has, value } = readOptions(args, {
    letters: "pC",
    words: ["directory", "exclude", "include", "whitespace"],
  });
  if (has("check", "stat", "numstat", "summary", "cached") && !has("apply", "index")) return;
  const files = operands.filter(({ text, unknown }) => text !== "-" || unknown !== undefined);
  const kept = files.length === 1 ? doings.kept(files[0]!) : undefined;
  if (files.length > 0 && kept === undefined) return wide("apply")(args, doings);
  const { patch, text } = kept ?? doings.input;
  if (patch !== undefined) return askForPatch(patch, doings.git);
  if (text === undefined) return doings.doubt("git apply", "the patch is not known");
  const folder = value("directory");
  writePatched(text, Number(value("p")?.text ?? 1), (path) =>
    doings.write(folder === undefined ? path : inFolder(folder, path), { why: "git apply" }),
  );
};

/** The patch of a mail; from its input where that is known. */
const applyMail: Subcommand = (args, doings) => {
  const { operands, has } = readOptions(args, {
    letters: "pC",
    words: ["directory", "exclude", "include", "whitespace", "patch-format"],
  });
  const isBegun = has("abort", "continue", "skip", "resolved", "r", "quit", "show-current-patch");
  const isFromInput = !isBegun && operands.length === 0;
  if (isFromInput && doings.input.patch !== undefined) return askForPatch(doings.input.patch, doings.git);
  if (!isFromInput || doings.input.text === undefined)
    return wideUnless("am", ["--quit", "--show-current-patch"])(args, doings);
  writePatched(doings.input.text, 1, (path) => doings.write(path, { why: "git am" }));
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

/** A folder as a pathspec means all that is in it; which of its files would change, git is asked as well. */
function writeAll(paths: readonly Field[], args: readonly Field[], doings: Doings, name: string): void {
  const isFile = ({ text, glob }: Field): boolean =>
    glob === undefined && !/[*?[]/.test(text) && /[^/.]\.\w+$/.test(text) && !isMagic(text);
  for (const path of paths)
    if (!isMagic(path.text)) doings.write(pathspec(path), { why: `git ${name}`, below: !isFile(path) });
  if (!paths.every(isFile)) wide(name)(args, doings);
}

/** `:/`, `:(top)src`, `:!lib`: git alone knows what they mean. */
function isMagic(text: string): boolean {
  return text.startsWith(":");
}

/** git's own wildcards cross folders. */
function pathspec(field: Field): Field {
  const { text, glob, unknown } = field;
  if (unknown !== undefined || glob !== undefined || !/[*?[]/.test(text)) return field;
  return pattern(text.replace(/(^|\/)\*(?=[^*/])/, "$1**/*"));
}

/** One that neither the tree nor an alias concerns: what it writes lies in the repository, or on another machine. */
const ownRules: ReadonlySet<string> = new Set(
  (
    "add annotate blame branch cat-file check-attr check-ignore check-mailmap check-ref-format cherry column commit " +
    "commit-graph commit-tree count-objects credential describe diff-files diff-index diff-tree fast-export fetch fetch-pack " +
    "fmt-merge-msg for-each-ref fsck gc get-tar-commit-id grep hash-object help init instaweb log ls-files ls-remote ls-tree " +
    "mailinfo maintenance merge-base merge-tree mktag mktree multi-pack-index name-rev notes pack-objects pack-refs patch-id " +
    "prune push range-diff reflog remote repack replace request-pull rerere rev-list rev-parse send-email shortlog show " +
    "show-branch show-ref status stage stripspace symbolic-ref tag update-index update-ref update-server-info upload-pack var " +
    "verify-commit verify-pack verify-tag version whatchanged write-tree"
  ).split(" "),
);

/** They start other programs, or bring files of which git says nothing beforehand. */
function unknownCommand(name: string): Subcommand {
  return (_args, { unknownProgram }) => unknownProgram(`git ${name}`);
}

const subcommands: Readonly<Record<string, Subcommand>> = {
  checkout,
  restore,
  stash,
  reset,
  clean,
  apply,
  config,
  rm: remove,
  mv: move,
  switch: (args, doings) => {
    const { operands, has } = readOptions(args, { letters: "cC", words: ["create", "force-create", "conflict"] });
    const isNew = has("c", "C", "create", "force-create") && operands.length === 0;
    if (!isNew || has("f", "force", "discard-changes")) wide("switch")(args, doings);
  },
  rebase: runsText("x", ["exec"], wideUnless("rebase", ["--show-current-patch", "--edit-todo", "--quit"])),
  merge: wideUnless("merge", ["--quit"]),
  "cherry-pick": wideUnless("cherry-pick", ["--quit"]),
  revert: wideUnless("revert", ["--quit"]),
  pull: wide("pull"),
  am: applyMail,
  bisect: (args, doings) => {
    if (args[0]?.text === "run") doings.run(args.slice(1));
    wideUnless("bisect", ["log", "view", "visualize", "terms", "help"])(args, doings);
  },
  "sparse-checkout": wideUnless("sparse-checkout", ["list", "check-rules"]),
  "read-tree": (args, doings) => (readOptions(args).has("u") ? wide("read-tree")(args, doings) : undefined),
  "checkout-index": wide("checkout-index"),
  "filter-branch": runsText(
    "",
    ["tree-filter", "index-filter", "env-filter", "msg-filter", "commit-filter"],
    wide("filter-branch"),
  ),
  submodule: (args, doings) => {
    const [action, ...rest] = readOptions(args, { stopAtOperand: true }).operands;
    const command = action?.text === "foreach" ? readOptions(rest, { stopAtOperand: true }).operands : [];
    const [only] = command;
    if (command.length === 1 && only!.unknown === undefined) doings.shell(only!.text);
    else if (command.length > 0) doings.run(command);
    if (!["status", "summary", "init", "absorbgitdirs", undefined].includes(action?.text))
      doings.doubt("git submodule", "it may change the whole tree");
  },
  mergetool: unknownCommand("mergetool"),
  difftool: runsText("xt", ["extcmd"], unknownCommand("difftool")),
  "for-each-repo": unknownCommand("for-each-repo"),
  hook: unknownCommand("hook"),
  lfs: unknownCommand("lfs"),
  svn: unknownCommand("svn"),
  "merge-file": (args, { write }) => {
    const { operands, has } = readOptions(args, { letters: "L", words: ["marker-size", "diff-algorithm"] });
    if (operands[0] !== undefined && !has("p", "stdout")) write(operands[0], { why: "git merge-file" });
  },
  "interpret-trailers": (args, { write }) => {
    const { operands, has } = readOptions(args, { words: ["trailer", "where", "if-exists", "if-missing"] });
    if (has("in-place")) for (const file of operands) write(file, { why: "git interpret-trailers" });
  },
  bundle: (args, { write }) => {
    const [action, file] = readOptions(args).operands;
    if (action?.text === "create" && file !== undefined) write(file, { why: "git bundle" });
  },
  worktree,
  clone,
  ...Object.fromEntries(["diff", "log", "show", "whatchanged"].map((name) => [name, output("", "output")])),
  archive: output("o", "output"),
  "format-patch": (_args, { doubt }) => doubt("git format-patch", "the names it makes are not known"),
};
