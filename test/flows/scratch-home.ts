/**
 * A home and a git repository of their own for one test; commands run in them as real processes, and whatever still
 * runs at the end is ended by its pid.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { noSandbox } from "../../src/adapters/confinement/testkit.ts";
import { homePaths, type HomePaths } from "../../src/platform/home/index.ts";
import { killAndWait, processesUnder } from "./processes.ts";
import { runSylk, startSylk, type RunOptions, type SylkProcess, type SylkRun } from "./run-sylk.ts";

type Env = Readonly<Record<string, string>>;
export type ScratchHome = AsyncDisposable & {
  readonly root: string;
  readonly paths: HomePaths;
  /** A repository with one commit. */
  readonly repository: string;
  readonly env: Env;
  /** Runs a command to its end, in the repository. */
  sylk(args: readonly string[], options?: Partial<RunOptions>): Promise<SylkRun>;
  start(args: readonly string[], options?: Partial<RunOptions>): SylkProcess;
  /** Another repository beside the first one. */
  addRepository(name: string): string;
};

type ScratchTerms = { readonly home?: string; readonly env?: Env; readonly under?: string };

export function openScratchHome({ home: wanted, env: extra = {}, under = tmpdir() }: ScratchTerms = {}): ScratchHome {
  // Short: a socket's path may have 100 bytes.
  const root = realpathSync(mkdtempSync(join(under, "sy-")));
  const home = join(root, wanted ?? "h");
  // Tests read whole tables; narrow-tables.test.ts shows that tables fit 80 columns.
  const env = { ...surroundings(root), SYLK_HOME: home, SYLK_HTTP_PORT: "0", COLUMNS: "400", ...extra };
  const repository = makeRepository(join(root, "shop"));
  const optionsWith = (options: Partial<RunOptions> = {}): RunOptions => ({
    cwd: repository,
    ...options,
    env: { ...env, ...options.env },
  });
  return {
    root,
    paths: homePaths(env),
    repository,
    env,
    sylk: (args, options) => runSylk(args, optionsWith(options)),
    start: (args, options) => startSylk(args, optionsWith(options)),
    addRepository: (name) => makeRepository(join(root, name)),
    async [Symbol.asyncDispose]() {
      // Until none is left: one that was just starting may win the lock of one that was just ended.
      for (let left = processesUnder(root); left.length > 0; left = processesUnder(root)) {
        await Promise.all(left.map(killAndWait));
      }
      removeTree(root);
    },
  };
}

/** Nothing of the developer's own setup reaches the processes under test. */
function surroundings(root: string): Record<string, string> {
  const { PATH = "", TMPDIR, NODE_COMPILE_CACHE, LANG = "C.UTF-8" } = process.env;
  const userHome = join(root, "user");
  mkdirSync(userHome);
  return {
    PATH,
    LANG,
    HOME: userHome,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    // Without a sandbox each command of a run would wait for a person, and no language server would start.
    ...(noSandbox === "" ? {} : { SYLK_RUNS_SANDBOX: "off", SYLK_LANGUAGE_SERVERS_MODE: "on" }),
    ...(TMPDIR === undefined ? {} : { TMPDIR }),
    ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
  };
}

function makeRepository(path: string): string {
  writeTree(path, { "README.md": "# A small shop\n", "src/checkout.ts": "export const total = 0;\n" });
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@sylk.invalid"];
  const git = (...args: string[]): void =>
    void execFileSync("git", [...identity, ...args], {
      cwd: path,
      stdio: "ignore",
      env: { PATH: process.env.PATH, HOME: path, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    });
  git("init", "--initial-branch=main");
  git("add", ".");
  git("commit", "--message", "A small shop");
  return path;
}

/** Writes files given as path to content, making their folders. */
export function writeTree(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

/** A test may have taken away the right to write. */
function removeTree(root: string): void {
  if (process.getuid?.() !== 0 && existsSync(root)) execFileSync("chmod", ["-R", "u+rwX", root]);
  rmSync(root, { recursive: true, force: true });
}
