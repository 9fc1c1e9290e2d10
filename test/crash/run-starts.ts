/**
 * The engine of `npm run campaign:starts`.
 *
 *   many commands at once in one home -> one daemon, everybody connected to it -> kill -9 -> the same again in that home
 *
 * Every second round finds what a killed daemon leaves: a stale socket, a stale record, a lock that the kernel has freed.
 * Three kinds of start take part: `up`, a command that needs a daemon, and `serve` itself, which must leave when it loses.
 */
import { readFileSync } from "node:fs";
import { systemClock } from "../../src/platform/clock/index.ts";
import { takeProcessLock } from "../../src/platform/store/index.ts";
import { killAndWait, processesUnder } from "../flows/processes.ts";
import { jsonOf, type SylkRun } from "../flows/run-sylk.ts";
import { openScratchHome, type ScratchHome } from "../flows/scratch-home.ts";
import { until } from "../flows/until.ts";

export type StartFigures = {
  readonly starts: number;
  readonly rounds: number;
  /** Lives of daemons: one per round. */
  readonly daemons: number;
  readonly slowestMs: number;
  readonly medianMs: number;
};
type Started = { readonly words: string; readonly run: SylkRun | undefined; readonly ms: number };

const kinds = [
  ["up", "--json"],
  ["up", "--json"],
  ["ready", "--json"],
  ["serve", "--background"],
] as const;
const alreadyRunning = 4;
const clock = systemClock();

export async function runStarts(terms: {
  readonly starts: number;
  readonly atOnce: number;
  readonly onRound?: (started: number) => void;
}): Promise<{ readonly figures: StartFigures; readonly problems: readonly string[] }> {
  const problems: string[] = [];
  const times: number[] = [];
  let [rounds, daemons] = [0, 0];
  while (times.length < terms.starts) {
    await using home = openScratchHome();
    for (let life = 1; life <= 2 && times.length < terms.starts; life++) {
      const count = Math.min(terms.atOnce, terms.starts - times.length);
      const { started, found } = await startAtOnce(home, count, life);
      problems.push(...found.map((problem) => `round ${rounds + 1}: ${problem}`));
      times.push(...started.map(({ ms }) => ms));
      rounds++;
      daemons += livesIn(home) - (life - 1);
      terms.onRound?.(times.length);
      await Promise.all(processesUnder(home.paths.home).map(killAndWait));
    }
  }
  times.sort((a, b) => a - b);
  const figures = {
    starts: times.length,
    rounds,
    daemons,
    slowestMs: times.at(-1) ?? 0,
    medianMs: times[Math.floor(times.length / 2)] ?? 0,
  };
  return { figures, problems };
}

async function startAtOnce(home: ScratchHome, count: number, life: number) {
  const attempts = Array.from({ length: count }, (_, index) => startOne(home, kinds[index % kinds.length]!));
  const started = await Promise.all(attempts.map(({ answered }) => answered));
  const { pid } = JSON.parse(readFileSync(home.paths.record, "utf8")) as { pid: number };
  await until("the losers have left", () => processesUnder(home.paths.home).length === 1, { withinMs: 60_000 });
  const lock = takeProcessLock(home.paths.lock);
  lock?.release();
  const found = [
    ...started.flatMap((start) => problemOf(start, pid)),
    ...(lock === undefined ? [] : ["nobody holds the lock"]),
    ...(processesUnder(home.paths.home).join() === String(pid) ? [] : ["another process than the winner is left"]),
    ...(livesIn(home) === life ? [] : [`${livesIn(home)} daemons have served in ${life} lives`]),
  ];
  return { started, found };
}

/** A `serve` that wins does not end: it counts as started when the round is over. */
function startOne(home: ScratchHome, words: readonly string[]): { readonly answered: Promise<Started> } {
  const began = clock.monotonic();
  const process = home.start(words);
  let run: SylkRun | undefined;
  void process.ended.then((ended) => (run = ended));
  const answered = until(
    `"sylk ${words.join(" ")}" is done`,
    () => run !== undefined || (words[0] === "serve" && servedBy(home) === process.pid),
    { withinMs: 120_000 },
  ).then(() => ({ words: words.join(" "), run, ms: clock.monotonic() - began }));
  return { answered };
}

function servedBy({ paths }: ScratchHome): number | undefined {
  try {
    return (JSON.parse(readFileSync(paths.record, "utf8")) as { pid: number }).pid;
  } catch {
    return undefined; // nobody has won yet
  }
}

function problemOf({ words, run }: Started, winner: number): readonly string[] {
  if (run === undefined) return []; // the winner itself
  const expected = words.startsWith("serve") ? alreadyRunning : 0;
  if (run.code !== expected) return [`"${words}" ended with ${run.code}: ${run.stdout.trim()}${run.stderr.trim()}`];
  if (!words.startsWith("up")) return [];
  const { pid } = jsonOf<{ pid: number }>(run);
  return pid === winner ? [] : [`"up" named process ${pid}, the daemon is ${winner}`];
}

function livesIn({ paths }: ScratchHome): number {
  return readFileSync(`${paths.logs}/daemon.log`, "utf8").split('"event":"daemon.started"').length - 1;
}
