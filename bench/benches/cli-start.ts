/** What a command costs beside an empty Node program: start, ask the daemon, print, end. */
import { spawnSync } from "node:child_process";
import type { Bench, Figure } from "../bench.ts";
import { daemonEnv, sylkBin, upDaemon } from "../processes/daemon.ts";
import { scratchFolder } from "../processes/scratch-home.ts";
import { median, ratios } from "../statistics.ts";

const rounds = 21;
const mostRatio = 2.5;

const commands = {
  "node -e 0": ["-e", "0"],
  "sylk --version": [sylkBin, "--version"],
  "sylk status --json": [sylkBin, "status", "--json"],
  "sylk who --json": [sylkBin, "who", "--json"],
} as const;
type CommandName = keyof typeof commands;
const names = Object.keys(commands) as CommandName[];

export const cliStart: Bench = {
  name: "cli-start",
  method: `Wall time of bin/sylk.cjs under the pinned Node (so without re-execution) with a daemon running, beside an empty program of the same Node; ${rounds} interleaved starts of each, ratio within a round.`,
  async run() {
    using scratch = scratchFolder();
    await using _daemon = await upDaemon(scratch.path);
    const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<CommandName, number[]>;
    const env = daemonEnv(scratch.path);
    for (let round = -1; round < rounds; round++) {
      for (const name of names) {
        const ms = wallTime(name, env, scratch.path);
        if (round >= 0) times[name].push(ms); // the first round fills the file cache
      }
    }
    return names.filter((name) => name !== "node -e 0").flatMap((name) => figuresOf(name, times));
  },
};

function wallTime(name: CommandName, env: Record<string, string>, cwd: string): number {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, commands[name], { env, cwd });
  const ms = performance.now() - startedAt;
  if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr.toString()}`);
  return ms;
}

function figuresOf(name: CommandName, times: Readonly<Record<CommandName, readonly number[]>>): Figure[] {
  const bare = times["node -e 0"];
  const perRound = ratios(times[name], bare);
  const value = median(perRound);
  return [
    {
      what: `${name} / node -e 0`,
      value,
      unit: "x",
      rounds: perRound,
      floor: { what: "node -e 0", value: median(bare), unit: "ms" },
      ...(name !== "sylk --version" ? { target: { text: `<= ${mostRatio} x`, met: value <= mostRatio } } : {}),
    },
    { what: name, value: median(times[name]), unit: "ms", rounds: times[name] },
  ];
}
