/** Formatters, package managers and build tools: the files they name, else that they write something. */
import { type Field, pattern, plain } from "../field.ts";
import type { Doings, Program } from "../program.ts";
import { readOptions } from "../read-options.ts";
import { runMakeTargets, runPackageScript } from "./package-scripts.ts";
import { writeOutputs } from "./by-option.ts";
import { runner } from "./wrappers.ts";

const valued = [
  "transform",
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
  return (args, doings) => {
    const { operands, has } = readOptions(args, { letters, words: valued });
    if ((when.length > 0 && !has(...when)) || has(...unless, "help", "version")) return;
    writeNamed(
      operands.filter(({ text }) => !skip.includes(text)),
      doings,
    );
  };
}

/** A file is a target; a folder means all in it, and nothing means the folder it runs in. */
function writeNamed(operands: readonly Field[], { write }: Doings): void {
  for (const operand of operands.length === 0 ? [plain(".")] : operands) {
    const isGlob = operand.glob === undefined && /[*?{]/.test(operand.text) && !operand.text.startsWith("!");
    const isFile = operand.unknown !== undefined || operand.glob !== undefined || /[^/.]\.\w+$/.test(operand.text);
    write(isGlob ? pattern(operand.text) : operand, { below: !isGlob && !isFile });
  }
}

/** Says that it writes, for these subcommands (or for all). */
function writesSomething(subcommands?: readonly string[]): Program {
  return (args, doings, name) => {
    const [first] = readOptions(args, { letters: "C", words: ["prefix", "filter", "cwd"] }).operands;
    if (args.some(({ text }) => text === "--version" || text === "--help")) return;
    writeOutputs(args, doings);
    const action = first?.unknown === undefined ? first?.text : undefined;
    if (subcommands === undefined || subcommands.includes(action ?? ""))
      doings.unknownProgram([name, action].join(" ").trim().slice(0, 80));
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

/** Commands of the managers themselves that write nothing into the tree, or only their own files. */
const managing = new Set(
  "ls list ll la view info show search outdated why explain help config get whoami ping login logout token owner access team org bin root prefix doctor fund cache store repo docs bugs home star stars unstar profile completion query sbom diff dist-tag".split(
    " ",
  ),
);

function packageManager(words: readonly string[], { startsAnything = false, hasScripts = true } = {}): Program {
  const starts = runner(words);
  return (all, doings, name) => {
    const { operands, value } = readOptions(all, { letters: "CwF", words: folderWords, stopAtOperand: true });
    const folder = value("C", "prefix", "dir", "cwd");
    if (folder !== undefined && operands.length > 0) return doings.run([plain(name), ...operands], { cwd: folder });
    const [action, ...rest] = operands;
    if (action === undefined || starts(operands, doings)) return;
    const isRun = action.text === "run" || action.text === "run-script" || action.text === "rum";
    const [script, ...given] = isRun ? readOptions(rest, { stopAtOperand: true }).operands : [action, ...rest];
    // What follows the dashes is the script's; options before them are the manager's own.
    const dashes = given.findIndex(({ text }) => text === "--");
    const args =
      dashes === -1
        ? name === "npm"
          ? given.filter(({ text }) => !text.startsWith("-"))
          : given
        : given.toSpliced(dashes, 1);
    if (script === undefined || managing.has(action.text)) return;
    const isScript = isRun || lifecycle.has(action.text) || startsAnything;
    if (hasScripts && isScript && runPackageScript(lifecycle.get(script.text) ?? script.text, args, doings)) return;
    if (startsAnything && !isRun && !changing.includes(action.text)) return doings.run(operands);
    writesSomething(changing)(all, doings, name);
  };
}

const folderWords = ["prefix", "dir", "cwd", "filter", "workspace", "loglevel", "registry"];
const lifecycle: ReadonlyMap<string, string> = new Map([
  ["test", "test"],
  ["t", "test"],
  ["tst", "test"],
  ["start", "start"],
  ["stop", "stop"],
  ["restart", "restart"],
]);

/** Its own rules are read where they are plain; else what it does is unknown. */
const make: Program = (args, doings, name) => {
  const { operands, has, value } = readOptions(args, {
    letters: "CfjloI",
    words: ["directory", "file", "makefile", "jobs"],
  });
  if (has("n", "just-print", "dry-run", "recon", "p", "q", "v", "version", "help")) return;
  const folder = value("C", "directory");
  if (folder !== undefined)
    return doings.run(
      [
        plain(name),
        ...args.filter(
          (arg, at) => arg !== folder && args[at + 1] !== folder && !/^(?:-C.+|--directory=)/.test(arg.text),
        ),
      ],
      {
        cwd: folder,
      },
    );
  const file = value("f", "file", "makefile");
  const text =
    file === undefined
      ? ["GNUmakefile", "makefile", "Makefile"].map((one) => doings.read(plain(one))).find((one) => one !== undefined)
      : file.text === "-"
        ? doings.input.text
        : doings.read(file);
  const given = Object.fromEntries(
    operands.flatMap(({ text: word }) =>
      /^\w+=/.test(word) ? [[word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)]] : [],
    ),
  ) as Record<string, string>;
  const targets = operands.map((one) => one.text).filter((word) => !word.includes("="));
  if (text === undefined || !runMakeTargets(text, targets, given, doings))
    doings.unknownProgram([name, targets[0]].join(" ").trim());
};

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

const ruff: Program = (args, doings) => {
  const { operands, has } = readOptions(args, { words: valued });
  const [action, ...files] = operands;
  if (has("check", "diff")) return;
  if (action?.text === "format" || has("fix", "fix-only")) writeNamed(files, doings);
};

const biome: Program = (args, doings) => {
  const { operands, has } = readOptions(args, { words: valued });
  if (has("write", "apply", "fix")) writeNamed(operands.slice(1), doings);
};

const something = writesSomething();

export const toolPrograms: Readonly<Record<string, Program>> = {
  prettier: formatter(["write", "w"]),
  eslint: formatter(["fix"], { letters: "co" }),
  oxlint: formatter(["fix"], { letters: "cADW" }),
  oxfmt: formatter([], { unless: ["check"], letters: "c" }),
  stylelint: formatter(["fix"]),
  standard: formatter(["fix"]),
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
  dprint: formatter([], { skip: ["fmt"], unless: ["check"] }),
  gofmt: formatter(["w"], { letters: "r" }),
  sqlfluff: formatter([], { skip: ["fix", "format"], letters: "" }),
  tsc: (args, doings, name) => {
    const { value, has } = readOptions(args, {
      letters: "p",
      words: ["outFile", "outDir", "project", "target", "module", "declarationDir", "tsBuildInfoFile", "lib"],
    });
    const [file, folder] = [value("outFile"), value("outDir") ?? value("declarationDir")];
    if (file !== undefined) doings.write(file);
    if (folder !== undefined) doings.write(folder, { below: true });
    if (
      file === undefined &&
      folder === undefined &&
      !has("noEmit", "v", "version", "h", "help", "showConfig", "listFiles")
    )
      doings.unknownProgram(name);
  },
  codespell: formatter(["w", "write-changes"]),
  ruff,
  biome,
  cargo,
  go,
  npm: packageManager(["exec", "x"]),
  pnpm: packageManager(["exec", "dlx"], { startsAnything: true }),
  yarn: packageManager(["exec", "dlx"], { startsAnything: true }),
  bundle: packageManager(["exec"], { hasScripts: false }),
  poetry: packageManager(["run"], { hasScripts: false }),
  uv: packageManager(["run"], { hasScripts: false }),
  pdm: packageManager(["run"], { hasScripts: false }),
  pipenv: packageManager(["run"], { hasScripts: false }),
  rimraf: (args, { run }) => run([plain("rm"), plain("-rf"), ...args]),
  "del-cli": (args, { run }) => run([plain("rm"), plain("-rf"), ...args]),
  shx: (args, { run }) => run(args),
  jscodeshift: formatter([], { letters: "tcpd", unless: ["d", "dry"] }),
  codemod: writesSomething(),
  ...Object.fromEntries(
    ["docker", "docker-compose", "podman"].map((name) => [
      name,
      writesSomething(["run", "exec", "cp", "build", "buildx", "compose", "up", "start", "restart", "export", "save"]),
    ]),
  ),
  make,
  gmake: make,
  gh: (args, { doubt, unknownProgram }) => {
    const [noun, verb] = readOptions(args, { letters: "R" }).operands.map(({ text }) => text);
    if (noun === "pr" && verb === "checkout") doubt("gh pr checkout", "it may change the whole tree");
    else if (["clone", "download", "sync", "fork", "create"].includes(verb ?? "")) unknownProgram(`gh ${noun} ${verb}`);
  },
  ...Object.fromEntries(
    [
      "cmake",
      "ninja",
      "gradle",
      "gradlew",
      "mvn",
      "mvnw",
      "bazel",
      "just",
      "rake",
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
      "buf",
      "swift",
      "dotnet",
      "composer",
      "pip",
      "pip3",
      "jupyter",
      "ansible-playbook",
      "ast-grep",
      "comby",
    ].map((name) => [name, something]),
  ),
};
