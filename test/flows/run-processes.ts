/** Processes that belong to runs: workers by their home, commands by the working tree they stand in. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { isAlive, processesUnder } from "./processes.ts";

/** Worker processes of daemons whose home is below the path. */
export function workersUnder(root: string): readonly number[] {
  return processesUnder(root).filter((pid) => commandLineOf(pid).includes("__worker"));
}

/** Live processes whose working directory is below the path. Linux only; elsewhere none are found. */
export function processesIn(folder: string): readonly number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => (folderOf(pid) ?? "").startsWith(folder) && isAlive(pid));
}

function folderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined; // ended, or another user's
  }
}

function commandLineOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return []; // ended
  }
}

export function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return ""; // ended
  }
}
