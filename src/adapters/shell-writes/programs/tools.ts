/** Formatters, package managers and build tools: the files they name, else that they write something. */
import { type Field, pattern } from "../field.ts";
import type { Doings, Program } from "../program.ts";
import { readOptions } from "../read-options.ts";
import { runner } from "./wrappers.ts";

const valued = [
  "config",
  "ext",
  "parser",
  "ignore-path",
  "plugin",
  "rulesdir",
  "format",
  "line-length",
  "target-version",
  "select",
  "ignore",
];

/** Writes its operands if one of these options is given (or always, for an empty list). */
function formatter(
  when: readonly string[],
  { letters = "", unless = [] as readonly string[], skip = [] as readonly string[] } = {},
): Program {
  return (args, doings, name) => {
    const { operands, has } = readOptions(args, { letters, words: valued });
    if ((when.length > 0 && !has(...when)) || has(...unless, "help", "version")) return;
    writeNamed(
      operands.filter(({ text }) => !skip.includes(text)),
      doings,
      name,
    );
  };
}

/** A file is a target; a folder, or nothing, means files that only the tool knows. */
function writeNamed(operands: readonly Field[], { write, doubt }: Doings, name: string): void {
  if (operands.length === 0) doubt(name, "the files it changes are not known");
  for (const operand of operands) {
    const isGlob = operand.glob === undefined && /[*?{]/.test(operand.text) && !operand.text.startsWith("!");
    if (isGlob) write(pattern(operand.text));
    else if (operand.unknown !== undefined || operand.glob !== undefined || /[^/.]\.\w+$/.test(operand.text))
      write(operand);
    else doubt(`${name} ${operand.text}`, "the files it changes are not known");
  }
}

/** Says that it writes, for these subcommands (or for all). */
function writesSomething(subcommands?: readonly string[]): Program {
  return (args, { doubt }, name) => {
    const [first] = readOptions(args, { letters: "C", words: ["prefix", "filter", "cwd"] }).operands;
    if (args.some(({ text }) => text === "--version" || text === "--help")) return;
    if (subcommands === undefined || subcommands.includes(first?.text ?? ""))
      doubt([name, first?.text].join(" ").trim(), "the files it writes are not known");
  };
}

const changing = [
  "install",
  "i",
  "ci",
  "add",
  "remove",
  "rm",
  "uninstall",
  "update",
  "up",
  "upgrade",
  "version",
  "init",
  "create",
  "link",
  "run",
  "run-script",
  "start",
  "test",
  "t",
  "build",
  "dedupe",
  "prune",
  "rebuild",
  "pkg",
  "audit",
  "exec",
  "x",
  "dlx",
  "publish",
  "pack",
  "set",
];

function packageManager(words: readonly string[]): Program {
  const starts = runner(words);
  return (args, doings, name) => {
    if (!starts(args, doings)) writesSomething(changing)(args, doings, name);
  };
}

const cargo: Program = (args, doings, name) =>
  writesSomething([
    "fmt",
    "fix",
    "build",
    "b",
    "test",
    "t",
    "run",
    "r",
    "add",
    "remove",
    "update",
    "new",
    "init",
    "clippy",
    "check",
    "install",
    "generate-lockfile",
    "clean",
    "doc",
    "bench",
  ])(args, doings, name);

const go: Program = (args, doings, name) => {
  const { operands, value } = readOptions(args, { letters: "" });
  const out = args[args.findIndex(({ text }) => text === "-o") + 1];
  if (operands[0]?.text === "build" && value("o") !== undefined && out !== undefined)
    return doings.write(out, { why: "go build -o" });
  writesSomething(["fmt", "fix", "mod", "get", "generate", "build", "install", "work", "run", "test"])(
    args,
    doings,
    name,
  );
};

const ruff: Program = (args, doings, name) => {
  const { operands, has } = readOptions(args, { words: valued });
  const [action, ...files] = operands;
  if (has("check", "diff")) return;
  if (action?.text === "format" || has("fix", "fix-only")) writeNamed(files, doings, name);
};

const biome: Program = (args, doings, name) => {
  const { operands, has } = readOptions(args, { words: valued });
  if (has("write", "apply", "fix")) writeNamed(operands.slice(1), doings, name);
};

const something = writesSomething();

export const toolPrograms: Readonly<Record<string, Program>> = {
  prettier: formatter(["write", "w"]),
  eslint: formatter(["fix"], { letters: "co" }),
  oxlint: formatter(["fix"], { letters: "cADW" }),
  oxfmt: formatter([], { unless: ["check"], letters: "c" }),
  stylelint: formatter(["fix"]),
  standard: formatter(["fix"]),
  gofmt: formatter(["w"], { letters: "r" }),
  goimports: formatter(["w"]),
  gofumpt: formatter(["w"]),
  rustfmt: formatter([], { unless: ["check"] }),
  black: formatter([], { unless: ["check", "diff"], letters: "lt" }),
  isort: formatter([], { unless: ["check", "check-only", "c", "diff"] }),
  autopep8: formatter(["i", "in-place"]),
  yapf: formatter(["i", "in-place"]),
  "clang-format": formatter(["i"]),
  shfmt: formatter(["w", "write"], { letters: "i" }),
  rubocop: formatter(["a", "A", "autocorrect", "autocorrect-all", "auto-correct"]),
  swiftformat: formatter([], { unless: ["lint"] }),
  terraform: writesSomething(["fmt", "init", "apply"]),
  dart: writesSomething(["format", "fix", "pub"]),
  ktlint: formatter(["F", "format"]),
  codespell: formatter(["w", "write-changes"]),
  ruff,
  biome,
  cargo,
  go,
  npm: packageManager(["exec", "x"]),
  pnpm: packageManager(["exec", "dlx"]),
  yarn: packageManager(["exec", "dlx"]),
  bundle: packageManager(["exec"]),
  poetry: packageManager(["run"]),
  uv: packageManager(["run"]),
  ...Object.fromEntries(
    [
      "make",
      "gmake",
      "cmake",
      "ninja",
      "gradle",
      "gradlew",
      "mvn",
      "mvnw",
      "bazel",
      "just",
      "rake",
      "tsc",
      "webpack",
      "vite",
      "rollup",
      "turbo",
      "nx",
      "pre-commit",
      "lint-staged",
      "husky",
      "alembic",
      "prisma",
      "protoc",
      "buf",
      "swift",
      "dotnet",
      "composer",
      "pip",
      "pip3",
      "jupyter",
      "ansible-playbook",
      "jscodeshift",
      "codemod",
      "ast-grep",
      "comby",
      "sqlite3",
      "vim",
      "vi",
      "nano",
      "emacs",
      "cpio",
      "7z",
      "docker-compose",
      "docker",
    ].map((name) => [name, something]),
  ),
};
