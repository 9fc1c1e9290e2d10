/**
 * Copies of the sample shop as repositories of their own beside a scratch daemon, and runs in them through the command
 * line.
 *
 *   const shop = makeShop(daemon);
 *   const { run, events } = await shop.run([plan([{ key: "price" }]), ...work("price", …)]);
 */
import { execFileSync } from "node:child_process";
import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, relative } from "node:path";
import type { LogEvent, Message, Run, RunNode } from "../../src/contract/index.ts";
import { repositoryRoot, type SylkProcess, type SylkRun } from "./run-sylk.ts";
import type { ScratchHome } from "./scratch-home.ts";
import { type Turn, finish, plan, work, write } from "./scenario-turns.ts";

/** Commands of a run find the Node of this repository first: the shop's tests are TypeScript. */
export const shopEnv: Readonly<Record<string, string>> = {
  PATH: [join(repositoryRoot, "node_modules", ".bin"), process.env.PATH ?? ""].join(delimiter),
};

/** How long a run may take on a busy machine. */
export const patience = { withinMs: 60_000 };

export type EndedRun = {
  readonly code: number | null;
  readonly run: Run;
  readonly events: readonly LogEvent[];
  readonly stderr: string;
};
export type RunTerms = {
  readonly request?: string;
  /** Beside `run <request> --rehearse <scenario> --yes --json`. */
  readonly args?: readonly string[];
  readonly approve?: boolean;
  readonly env?: Readonly<Record<string, string>>;
};
export type Shop = {
  readonly repository: string;
  git(...args: readonly string[]): string;
  /** Writes files (null removes one) and commits them. */
  commit(files: Readonly<Record<string, string | null>>): string;
  scenario(turns: readonly Turn[]): string;
  /** `sylk run … --json` to its end. */
  run(turns: readonly Turn[], terms?: RunTerms): Promise<EndedRun>;
  start(turns: readonly Turn[], terms?: RunTerms): SylkProcess;
  sylk(...args: readonly string[]): Promise<SylkRun>;
  /** Every file of the user's tree with its content and mode, git's own folder left out. */
  snapshot(): ReadonlyMap<string, string>;
};

let made = 0;

export function makeShop(home: ScratchHome, changes: Readonly<Record<string, string | null>> = {}): Shop {
  const repository = join(home.root, `shop-${++made}`);
  cpSync(join(repositoryRoot, "samples", "shop"), repository, { recursive: true });
  const git = (...args: readonly string[]): string =>
    execFileSync("git", [...args], { cwd: repository, env: { ...home.env }, encoding: "utf8", stdio: "pipe" }).trim();
  git("init", "--initial-branch=main");
  git("config", "user.name", "Test");
  git("config", "user.email", "test@sylk.invalid");
  const commit: Shop["commit"] = (files) => {
    for (const [path, content] of Object.entries(files)) put(join(repository, path), content);
    git("add", "--all");
    git("commit", "--quiet", "--allow-empty", "--message", "A small shop");
    return git("rev-parse", "HEAD");
  };
  commit(changes);
  let scenarios = 0;
  const scenario: Shop["scenario"] = (turns) => {
    const file = join(home.root, `${relative(home.root, repository)}-${++scenarios}.yaml`);
    writeFileSync(file, JSON.stringify({ name: "test", turns }));
    return file;
  };
  const words = (turns: readonly Turn[], { request = "Change the shop", args = [], approve = true }: RunTerms) => [
    "run",
    request,
    "--rehearse",
    scenario(turns),
    ...(approve ? ["--yes"] : []),
    "--json",
    ...args,
  ];
  const options = ({ env }: RunTerms) => ({ cwd: repository, ...(env === undefined ? {} : { env }) });
  return {
    repository,
    git,
    commit,
    scenario,
    start: (turns, terms = {}) => home.start(words(turns, terms), options(terms)),
    run: async (turns, terms = {}) => endedRun(await home.sylk(words(turns, terms), options(terms))),
    sylk: (...args) => home.sylk(args, { cwd: repository }),
    snapshot: () => new Map(filesIn(repository).map((file) => [relative(repository, file), contentOf(file)])),
  };
}

/**
 * A shop whose package.json names no checks, tested by a command of the user's: a run in it starts no npm and takes a third
 * of the time.
 */
export function makeQuickShop(home: ScratchHome, changes: Readonly<Record<string, string | null>> = {}): Shop {
  const shop = makeShop(home, {
    "package.json": '{ "name": "shop", "private": true, "type": "module" }\n',
    ...changes,
  });
  const quick = ({ args = [], ...terms }: RunTerms = {}): RunTerms => ({
    ...terms,
    args: ["--test-command", "node test/format.test.ts", ...args],
  });
  return {
    ...shop,
    run: (turns, terms) => shop.run(turns, quick(terms)),
    start: (turns, terms) => shop.start(turns, quick(terms)),
  };
}

/** A change that is right at once, and by how many engineers it is made. */
export function goodChange(keys: readonly string[] = ["price"]): readonly Turn[] {
  return [
    plan(keys.map((key) => ({ key }))),
    ...keys.flatMap((key) => work(key, write(`src/${key}.ts`, `export const ${key} = 1;\n`), finish())),
  ];
}

export function endedRun({ code, stdout, stderr }: SylkRun): EndedRun {
  const lines = stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as LogEvent | { run: Run });
  const last = lines.at(-1);
  if (last === undefined || !("run" in last))
    throw new Error(`no run at the end (exit code ${code}): ${stdout}${stderr}`);
  return { code, run: last.run, events: lines.slice(0, -1) as LogEvent[], stderr };
}

export function messagesOf(events: readonly LogEvent[]): readonly Message[] {
  return events.filter(({ type }) => type === "run.message").map(({ data }) => data.message as Message);
}

export type NodeMove = {
  readonly sequence: number;
  readonly node: string;
  readonly title: string;
  readonly from: string;
  readonly to: string;
  readonly attempt: number;
  readonly agent?: string;
  readonly cause?: string;
};

export function nodeMoves(events: readonly LogEvent[]): readonly NodeMove[] {
  const moves = events.filter(({ type }) => type === "run.node-changed");
  return moves.map(({ sequence, data }) => ({ sequence, ...data }) as NodeMove);
}

/** What Engineers do in it, in the order of the plan and its corrections. */
export function workOf({ nodes }: Run): readonly RunNode[] {
  return nodes.filter(({ kind }) => kind === "engineer");
}

export function nodeOf({ nodes }: Run, title: string): RunNode {
  const node = nodes.find((candidate) => candidate.title === title);
  if (node === undefined) throw new Error(`no node "${title}" among ${nodes.map((one) => one.title).join(", ")}`);
  return node;
}

function put(file: string, content: string | null): void {
  if (content === null) return rmSync(file, { recursive: true });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name === ".git") return [];
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

function contentOf(file: string): string {
  const { mode } = lstatSync(file);
  const content = lstatSync(file).isSymbolicLink() ? readlinkSync(file) : readFileSync(file, "base64");
  return `${mode.toString(8)} ${content}`;
}
