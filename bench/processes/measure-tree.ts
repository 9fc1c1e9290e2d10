/** Programs measured from outside: processor time and memory of a process with everything it starts, as Linux counts them. */
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { exitOf } from "./run-child.ts";

export type TreeUsage = { readonly cpuSeconds: number; readonly seconds: number; readonly peakMb: number };
type Command = {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Exit codes that are answers; 0 alone where it is not given. */
  readonly answers?: readonly number[];
};

const lookMs = 25;
const ticksPerSecond = 100;

/** Runs a command to its end. The shell counts all processes that were waited for, to the millisecond. */
export async function measureCommand({ argv, cwd, env, answers = [0] }: Command): Promise<TreeUsage> {
  const script = '"$@" >/dev/null 2>&1; code=$?; times; exit $code';
  const startedAt = performance.now();
  const shell = spawn("bash", ["-c", script, "bash", ...argv], { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  const memory = watchMemory(shell);
  let said = "";
  shell.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  const code = await exitOf(shell);
  const seconds = (performance.now() - startedAt) / 1_000;
  memory.stop();
  if (!answers.includes(Number(code))) throw new Error(`"${argv.join(" ")}" ended with ${code}`);
  const times = [...said.matchAll(/(\d+)m([\d.]+)s/g)]
    .slice(-2)
    .map(([, minutes, rest]) => Number(minutes) * 60 + Number(rest));
  return { cpuSeconds: times.reduce((sum, one) => sum + one, 0), seconds, peakMb: memory.peakMb() };
}

/** The largest memory of a running process and its descendants together, looked at every few milliseconds. */
export function watchMemory({ pid }: ChildProcess): { peakMb(): number; stop(): void } {
  let peak = 0;
  const timer = setInterval(() => (peak = Math.max(peak, residentMbOf(pid!))), lookMs);
  return { peakMb: () => peak, stop: () => clearInterval(timer) };
}

/** Of a process with its descendants. */
export function residentMbOf(pid: number): number {
  return sum(treeOf(pid).map(residentMb));
}

/** Of a process that still runs, its descendants, and those of them that have ended. */
export function cpuSecondsOf(pid: number): number {
  return sum(
    treeOf(pid).map((one) => {
      const fields = statOf(one);
      return fields === undefined ? 0 : sum(fields.slice(11, 15).map(Number)) / ticksPerSecond;
    }),
  );
}

function treeOf(root: number): readonly number[] {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), Number(statOf(Number(name))?.[1])] as const);
  const found = [root];
  for (const one of found) found.push(...parents.filter(([, parent]) => parent === one).map(([pid]) => pid));
  return found;
}

/** The fields after the program's name; undefined for a process that has ended. */
function statOf(pid: number): readonly string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
  } catch {
    return undefined;
  }
}

function residentMb(pid: number): number {
  const pages = statOf(pid)?.[21];
  return pages === undefined ? 0 : (Number(pages) * 4_096) / 1_048_576;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
