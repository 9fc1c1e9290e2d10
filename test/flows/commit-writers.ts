/**
 * Many agents that edit and commit in one tree at once, beside a person who stages and commits by git itself; then the whole
 * history is read back.
 *
 *   each agent, again and again: a line to its own file, a new file, at times a line to one that all share -> commit
 *   judged: every line that was written is in HEAD, every commit that was answered is in the history, no line was ever
 *   taken out, nothing is left over in tree and index
 */
import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { systemClock } from "../../src/platform/clock/index.ts";
import { openScratchDaemon, type ScratchAgent, type ScratchDaemon } from "./scratch-daemon.ts";

export type WriterTerms = {
  readonly writers: number;
  readonly mode: "paths" | "project";
  /** Whichever comes first. */
  readonly rounds?: number;
  readonly seconds?: number;
  readonly onCommit?: (commits: number) => void;
};
export type WriterFigures = {
  readonly commits: number;
  readonly byGit: number;
  /** Somebody else's commit had the change already. */
  readonly takenAlong: number;
  readonly perSecond: number;
  readonly medianMs: number;
  readonly p99Ms: number;
};
type Journal = { commits: string[]; lines: [file: string, line: string][]; takenAlong: number; ms: number[] };

const clock = systemClock();
/** Every so many rounds a line goes to the file that all share. */
const sharedEvery = 2;
const sharedFile = "shared.ts";

export async function runWriters(
  terms: WriterTerms,
): Promise<{ readonly figures: WriterFigures; readonly problems: readonly string[] }> {
  await using daemon = await openScratchDaemon({ env: { SYLK_COMMITS_MODE: terms.mode } });
  git(daemon, "config", "user.name", "Ada");
  git(daemon, "config", "user.email", "ada@sylk.invalid");
  const names = Array.from({ length: terms.writers }, (_, at) => `writer-${at}`);
  const agents = await Promise.all(names.map((name) => daemon.register(name)));
  const startedAt = clock.monotonic();
  const goesOn = (round: number): boolean =>
    round < (terms.rounds ?? Infinity) && clock.monotonic() - startedAt < (terms.seconds ?? Infinity) * 1_000;
  const problems: string[] = [];
  const journal: Journal = { commits: [], lines: [], takenAlong: 0, ms: [] };
  let isDone = false;
  const person = commitByGit(daemon, () => !isDone, problems);
  await Promise.all(
    agents.map(async (agent, at) => {
      for (let round = 0; goesOn(round); round++) {
        await oneRound(agent, `${names[at]}`, round, { daemon, journal, problems });
        terms.onCommit?.(journal.commits.length);
      }
    }),
  );
  isDone = true;
  const byGit = await person;
  const seconds = (clock.monotonic() - startedAt) / 1_000;
  problems.push(...judge(daemon, journal, byGit));
  const sorted = journal.ms.toSorted((one, other) => one - other);
  const figures = {
    commits: journal.commits.length,
    byGit,
    takenAlong: journal.takenAlong,
    perSecond: Math.round((10 * journal.commits.length) / seconds) / 10,
    medianMs: Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0),
    p99Ms: Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? 0),
  };
  return { figures, problems };
}

type Round = { readonly daemon: ScratchDaemon; readonly journal: Journal; readonly problems: string[] };

async function oneRound({ client }: ScratchAgent, name: string, round: number, at: Round): Promise<void> {
  const { daemon, journal, problems } = at;
  const isShared = round % sharedEvery === sharedEvery - 1;
  const files = isShared ? [sharedFile] : [`${name}/own.ts`, `${name}/part-${round}.ts`];
  for (const file of files) {
    const line = `export const ${name.replace("-", "_")}_${round} = ${round};`;
    append(daemon, file, `${line}\n`);
    journal.lines.push([file, line]);
  }
  const startedAt = clock.monotonic();
  try {
    const { commit, warnings } = await client.call("commit.create", { message: `${name} ${round}`, paths: files });
    journal.commits.push(commit!);
    problems.push(...warnings);
    journal.ms.push(clock.monotonic() - startedAt);
  } catch (error) {
    if (isShared && (error as { code?: string }).code === "commit.nothing") journal.takenAlong++;
    else problems.push(`${name} ${round}: ${String(error)}`);
  }
}

/** As fast as it can, and for as long as the others: git may refuse it a lock, as it does between two people. */
async function commitByGit(daemon: ScratchDaemon, goesOn: () => boolean, problems: string[]): Promise<number> {
  let made = 0;
  for (; goesOn(); made++) {
    append(daemon, "person.ts", `// ${made}\n`);
    let failure: string | undefined = "never tried";
    for (let tries = 0; failure !== undefined && tries < 500; tries++)
      failure = (await run(daemon, "add", "person.ts")) ?? (await run(daemon, "commit", "-q", "-m", `person ${made}`));
    if (failure !== undefined) problems.push(`person ${made}: ${failure}`);
  }
  return made;
}

function judge(daemon: ScratchDaemon, { commits, lines }: Journal, byGit: number): readonly string[] {
  const problems: string[] = [];
  const history = new Set(git(daemon, "log", "--format=%H").split("\n").filter(Boolean));
  for (const commit of commits) if (!history.has(commit)) problems.push(`lost commit ${commit}`);
  const expected = 1 + new Set(commits).size + byGit;
  if (history.size !== expected) problems.push(`${history.size} commits in the history, not ${expected}`);
  const contents = new Map<string, ReadonlySet<string>>();
  for (const [file, line] of lines) {
    const inHead = contents.get(file) ?? new Set(git(daemon, "show", `HEAD:${file}`).split("\n"));
    contents.set(file, inHead);
    if (!inHead.has(line)) problems.push(`lost edit: ${file} has no "${line}" in HEAD`);
    else if (!readFileSync(join(daemon.repository, file), "utf8").includes(line)) problems.push(`torn ${file}`);
  }
  const takenOut = git(daemon, "log", "--format=", "--numstat", "--no-renames")
    .split("\n")
    .filter((row) => row !== "" && !/^\d+\t0\t/.test(row));
  problems.push(...takenOut.map((row) => `lines were taken out: ${row}`));
  const left = git(daemon, "status", "--porcelain");
  if (left !== "") problems.push(`left over: ${left}`);
  if (existsSync(join(daemon.repository, ".git", "index.lock"))) problems.push("index.lock was left");
  if (spawnSync("git", ["fsck", "--strict"], { cwd: daemon.repository, env: daemon.env }).status !== 0)
    problems.push("git fsck found damage");
  return problems;
}

function append(daemon: ScratchDaemon, path: string, text: string): void {
  mkdirSync(dirname(join(daemon.repository, path)), { recursive: true });
  appendFileSync(join(daemon.repository, path), text);
}

function git({ repository, env }: ScratchDaemon, ...args: readonly string[]): string {
  return spawnSync("git", [...args], { cwd: repository, env, encoding: "utf8", maxBuffer: 2 ** 28 }).stdout;
}

/** What it said where it failed. */
function run({ repository, env }: ScratchDaemon, ...args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn("git", [...args], { cwd: repository, env, stdio: ["ignore", "ignore", "pipe"] });
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.on("close", (code) => resolve(code === 0 ? undefined : stderr || `exit ${code}`));
  });
}
