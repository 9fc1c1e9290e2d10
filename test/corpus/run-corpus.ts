/**
 * Really runs commands of the corpus against a file that another agent holds, in fresh trees beside one real daemon.
 *
 *   truth     the command alone: it changes the held file, or it does not; a row that claims otherwise is broken
 *   text      the PreToolUse hook of the session that wants to run it: denied, remembered as unknown, or silent
 *   enforced  the command through the client's shell prefix: the file is as it was, or it changed
 *   history   the command without enforcement, then "sylk file restore": the bytes are back, or they are lost
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, lstatSync, openSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { noNamespaces } from "../../src/adapters/confinement/testkit.ts";
import { hookClient, type HookClient, runShell } from "../flows/hook-client.ts";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { until } from "../flows/until.ts";
import type { CorpusCommand, TreeState } from "./corpus-command.ts";
import { commandIn, isInstalled, quoted } from "./corpus-shell.ts";
import { uncommitted } from "./shop-files.ts";
import { heldFile, openShopTrees, type ShopTrees, writeLines } from "./shop-trees.ts";

export type Outcome = {
  readonly row: CorpusCommand;
  /** Why the command was not run, or why its row is wrong. */
  readonly notRun?: string;
  readonly broken?: string;
  readonly text?: "denied" | "remembered" | "silent";
  readonly enforced?: "kept" | "changed" | "not enforced here";
  readonly history?: "restored" | "lost";
  /** A command that only reads, with and without enforcement: its exit code. */
  readonly ends?: "alike" | "otherwise";
  /** Of a column that failed. */
  readonly detail?: string;
};

export type Corpus = AsyncDisposable & { run(row: CorpusCommand): Promise<Outcome> };
type World = {
  readonly daemon: ScratchDaemon;
  readonly trees: ShopTrees;
  readonly env: Readonly<Record<string, string>>;
};
type Ran = { readonly code: number | null; readonly output: string };
type Held = { readonly tree: string; readonly version: string };

export async function openCorpus(): Promise<Corpus> {
  const daemon = await openScratchDaemon();
  const trees = openShopTrees(join(daemon.root, "trees"), daemon.env);
  await daemon.sylk(["install", "claude-code", "--user", "--yes"]);
  const world = {
    daemon,
    trees,
    env: { ...daemon.env, PATH: `${trees.tools}:${daemon.env.PATH}`, TMUX_TMPDIR: daemon.root },
  };
  if (isInstalled("tmux", world.env)) await startServerOutside(world);
  return { run: (row) => runRow(world, row), [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose]() };
}

/** A server that no command of the corpus started; the daemon's scratch home ends it by its variables. */
async function startServerOutside({ daemon, env }: World): Promise<void> {
  await runShell("tmux -L corpus -f /dev/null new-session -d sleep 100000", "", env, daemon.root);
}

async function runRow(world: World, row: CorpusCommand): Promise<Outcome> {
  const missing = (row.needs ?? []).filter((program) => !isInstalled(program, world.env));
  if (missing.length > 0) return { row, notRun: `${missing.join(", ")} is not installed` };
  const truth = await runAlone(world, row);
  const changes = truth.before !== truth.after;
  if (changes !== (row.writes === "held"))
    return row.apart === "server outside"
      ? { row, notRun: `no server answered: ${said(truth.ran)}` }
      : { row, broken: `the held file ${changes ? "changed" : "did not change"}: ${said(truth.ran)}` };
  const { ran, ...guarded } = await runGuarded(world, row);
  if (row.writes === "held") return { row, ...guarded, ...(await runAndRestore(world, row)) };
  return ran.code === truth.ran.code
    ? { row, ...guarded, ends: "alike" }
    : { row, ...guarded, ends: "otherwise", detail: `alone: ${said(truth.ran)}; enforced: ${said(ran)}` };
}

async function runAlone(world: World, row: CorpusCommand) {
  const state = row.tree ?? "modified";
  const tree = await world.trees.copy(state);
  writeLines(tree, state);
  const before = stateOf(tree, row, world.env);
  const ran = await runPlain(world, tree, row);
  const after = stateOf(tree, row, world.env);
  await rm(dirname(tree), { recursive: true, force: true });
  return { before, after, ran };
}

/** Text and kernel, in one tree: the hook runs nothing. */
async function runGuarded(world: World, row: CorpusCommand) {
  const held = await holdFile(world, row.tree ?? "modified");
  const otter = sessionIn(world, held.tree, "otter");
  const before = heldContent(held.tree);
  const unguarded = async (): Promise<number> => (await world.daemon.user.call("health.show", {})).unguarded;
  const known = await unguarded();
  const asked = await otter.shell(commandIn(held.tree, row));
  const told = asked.stdout !== "" || (await unguarded()) > known;
  const text = asked.code === 2 ? "denied" : told ? "remembered" : "silent";
  const agents = await agentsIn(world, held.tree);
  const ran = await runConfined(world, held.tree, otter.session, row);
  const after = heldContent(held.tree);
  await giveBack(world, held.tree, agents);
  const enforced = noNamespaces !== "" ? "not enforced here" : after === before ? "kept" : "changed";
  const detail = enforced === "changed" ? said(ran) : row.writes === "nothing" ? asked.stderr : "";
  return { ran, text, enforced, ...(detail === "" ? {} : { detail }) } as const;
}

async function runAndRestore(world: World, row: CorpusCommand): Promise<Partial<Outcome>> {
  const held = await holdFile(world, row.tree ?? "modified");
  const before = heldContent(held.tree);
  const agents = await agentsIn(world, held.tree);
  const ran = await runPlain(world, held.tree, row);
  const isOverwritten = heldContent(held.tree) !== before;
  const args = ["file", "restore", heldFile, "--version", held.version];
  const restored = await world.daemon.sylk(args, { cwd: held.tree, env: world.env });
  const isBack = heldContent(held.tree) === before;
  await giveBack(world, held.tree, agents);
  if (!isOverwritten) return { broken: `the held file did not change beside a daemon: ${said(ran)}` };
  return isBack ? { history: "restored" } : { history: "lost", detail: restored.stderr };
}

/** Heron reserves the file by its hook and writes lines. No hook says that they are written: the watcher sees them. */
async function holdFile(world: World, state: TreeState): Promise<Held> {
  const tree = await world.trees.copy(state);
  await sessionIn(world, tree, "heron").edit(heldFile);
  writeLines(tree, state);
  const client = world.daemon.clientOf({ project: tree });
  const bytes = Buffer.byteLength(uncommitted);
  const version = await until("the holder's last version is kept", async () => {
    const { items } = await client.call("file.history", { path: heldFile });
    return items.find((item) => item.bytes === bytes)?.id;
  });
  return { tree, version };
}

function sessionIn({ daemon, env }: World, tree: string, name: string): HookClient {
  const settings = join(daemon.env.HOME!, ".claude", "settings.json");
  return hookClient({ session: `${name}-${dirname(tree)}`, repository: tree, env, settings });
}

/** Ends the sessions, so that the daemon watches the tree no longer; then the tree goes. */
async function giveBack({ daemon }: World, tree: string, agents: readonly string[]): Promise<void> {
  for (const id of agents) await daemon.user.call("agent.end", { id });
  await rm(dirname(tree), { recursive: true, force: true });
}

/** Asked before the command runs: it may take away what makes the tree a project. */
async function agentsIn({ daemon }: World, tree: string): Promise<readonly string[]> {
  const { items } = await daemon.clientOf({ project: tree }).call("agent.list", {});
  return items.map(({ id }) => id);
}

const runPlain = ({ env }: World, tree: string, row: CorpusCommand): Promise<Ran> =>
  runLine(`exec bash -c ${quoted(commandIn(tree, row))}`, env, tree);

/** As the client does: the prefix of its settings with the whole command line as one argument. */
function runConfined({ daemon, env }: World, tree: string, session: string, row: CorpusCommand): Promise<Ran> {
  const settings = readFileSync(join(daemon.env.HOME!, ".claude", "settings.json"), "utf8");
  const { env: own } = JSON.parse(settings) as { env: { CLAUDE_CODE_SHELL_PREFIX: string } };
  const line = `exec ${quoted(own.CLAUDE_CODE_SHELL_PREFIX)} ${quoted(commandIn(tree, row))}`;
  return runLine(line, { ...env, CLAUDE_CODE_SESSION_ID: session, SHELL: "/bin/bash" }, tree);
}

/**
 * Output goes to a file: an editor that reads its commands from standard error would wait at a socket for ever. A command
 * that tries again and again ends by the limit of time, as a client ends it.
 */
async function runLine(line: string, env: World["env"], tree: string): Promise<Ran> {
  const output = join(dirname(tree), "output");
  const file = openSync(output, "w");
  const child = spawn("timeout", ["-k", "1", "60", "sh", "-c", line], {
    env,
    cwd: tree,
    stdio: ["ignore", file, file],
  });
  const [code] = (await once(child, "close")) as [number | null];
  closeSync(file);
  await until("all that the command started has ended", () => isQuiet(tree));
  return { code, output: readFileSync(output, "utf8") };
}

const said = ({ code, output }: Ran): string => `exit code ${code}, ${JSON.stringify(output.slice(0, 400))}`;

/** A command that claims to write nothing may change no other file of the tree. */
function stateOf(tree: string, row: CorpusCommand, env: World["env"]): string {
  if (row.writes === "held") return heldContent(tree);
  const status = execFileSync("git", ["status", "--porcelain"], { cwd: tree, env, encoding: "utf8" });
  return `${heldContent(tree)}\n${status}`;
}

function heldContent(tree: string): string {
  const file = join(tree, heldFile);
  // A file in place of its folder is an error and not "no entry".
  if (!existsSync(dirname(file)) || !statSync(dirname(file)).isDirectory()) return "missing";
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return "missing";
  if (stats.isSymbolicLink()) return `a link to ${readlinkSync(file)}`;
  return stats.isFile() ? `file ${readFileSync(file, "utf8")}` : "not a file";
}

/** No process works in the tree; without /proc only the command itself is waited for. */
function isQuiet(tree: string): boolean {
  if (!existsSync("/proc/self/cwd")) return true;
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return !pids.some((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`).startsWith(tree);
    } catch {
      return false; // ended, or another user's
    }
  });
}
