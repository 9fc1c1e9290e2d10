/** Tells a process from a later one that got the same pid: by its start time as the kernel reports it. */
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** Undefined when no such process runs. */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  return process.platform === "linux" ? linuxStartTime(pid) : posixStartTime(pid);
}

/** Only what is certain: a process that we may not look at runs. */
export function isProcessGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** Whether anybody of the process group still runs. A zombie does not. */
export async function groupRuns(group: number): Promise<boolean> {
  try {
    process.kill(-group, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  return process.platform === "linux" ? linuxGroupRuns(group) : posixGroupRuns(group);
}

/** Start times count from the boot: after another one the same pid and time are somebody else's. */
async function linuxStartTime(pid: number): Promise<string | undefined> {
  const stat = await linuxStat(pid);
  return stat === undefined || stat.state === "Z" ? undefined : `${await bootId()}:${stat.startTicks}`;
}

async function linuxGroupRuns(group: number): Promise<boolean> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => linuxStat(Number(pid))));
  return stats.some((stat) => stat?.group === group && stat.state !== "Z" && stat.state !== "X");
}

type LinuxStat = { readonly state: string; readonly group: number; readonly startTicks: string };

/** The command name in /proc/<pid>/stat may hold spaces and brackets; the fields are counted from its end. */
async function linuxStat(pid: number): Promise<LinuxStat | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0]!, group: Number(fields[2]), startTicks: fields[19]! };
  } catch {
    return undefined; // no such process
  }
}

let boot: Promise<string> | undefined;

function bootId(): Promise<string> {
  boot ??= readFile("/proc/sys/kernel/random/boot_id", "utf8").then(
    (text) => text.trim(),
    () => "boot", // hidden in some containers: then the start time alone has to do
  );
  return boot;
}

async function posixStartTime(pid: number): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)("ps", ["-o", "lstart=", "-p", String(pid)]);
    return stdout.trim() || undefined;
  } catch {
    return undefined; // ps found none
  }
}

async function posixGroupRuns(group: number): Promise<boolean> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pgid=,stat="]);
  return stdout.split("\n").some((line) => {
    const [pgid, state = ""] = line.trim().split(/\s+/);
    return Number(pgid) === group && !state.startsWith("Z");
  });
}
