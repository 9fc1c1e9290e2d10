/** Which processes live, and which of them belong to a scratch folder: told apart by their environment, ended by pid. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { until } from "./until.ts";

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !isZombie(pid);
}

/**
 * One that has ended and was not fetched by its parent yet still takes signals. While other threads of it are still
 * ending, it holds its files and locks.
 */
function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8")) && readdirSync(`/proc/${pid}/task`).length <= 1;
  } catch {
    return false; // not Linux, or gone by now
  }
}

/** Live processes, this one left out, whose SYLK_HOME begins with the path. */
export function processesUnder(path: string): readonly number[] {
  const marker = `SYLK_HOME=${path}`;
  const found = existsSync("/proc/self/environ") ? fromProc(marker) : fromPs(marker);
  return found.filter((pid) => pid !== process.pid && isAlive(pid));
}

function fromProc(marker: string): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => environmentOf(pid).some((variable) => variable.startsWith(marker))).map(Number);
}

function environmentOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return []; // ended, or another user's
  }
}

function fromPs(marker: string): number[] {
  const listing = execFileSync("ps", ["-Aww", "-E", "-o", "pid=,command="], { encoding: "utf8" });
  const lines = listing.split("\n").filter((line) => line.includes(` ${marker}`));
  return lines.map((line) => Number.parseInt(line, 10));
}

export async function killAndWait(pid: number): Promise<void> {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    return; // it ended by itself
  }
  await until(`process ${pid} is gone`, () => !isAlive(pid));
}
