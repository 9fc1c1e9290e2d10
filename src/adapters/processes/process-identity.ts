/** Tells a process from a later one that got the same pid: by its start time as the kernel reports it. */
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** Undefined when no such process runs. */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  return process.platform === "linux" ? linuxStartTime(pid) : posixStartTime(pid);
}

export type Identified = { readonly pid: number; readonly start: string };

/** Those that have ended. A process of which nothing can be found out counts as alive. */
export async function goneAmong<Process extends Identified>(processes: readonly Process[]): Promise<Process[]> {
  const starts =
    process.platform === "linux"
      ? await Promise.all(processes.map(({ pid }) => linuxStartTimeOrUnknown(pid)))
      : await posixStartTimes(processes);
  return processes.filter(({ start }, index) => starts[index] !== "unknown" && starts[index] !== start);
}

/** Whether a process of the group still runs. A zombie does not. */
export async function groupRuns(group: number): Promise<boolean> {
  try {
    process.kill(-group, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  return process.platform === "linux" ? linuxGroupRuns(group) : posixGroupRuns(group);
}

/** Memory that the processes of a group have in use; 0 where that cannot be found out. */
export async function groupBytes(group: number): Promise<number> {
  return process.platform === "linux" ? linuxGroupBytes(group) : posixGroupBytes(group);
}

/** Start times count from the boot: after another one the same pid and time are another process. */
async function linuxStartTime(pid: number): Promise<string | undefined> {
  const stat = await linuxStat(pid);
  return stat === undefined || stat.state === "Z" ? undefined : `${await bootId()}:${stat.startTicks}`;
}

async function linuxStartTimeOrUnknown(pid: number): Promise<string | undefined> {
  const start = await linuxStartTime(pid);
  return start === undefined && runsStill(pid) && !(await isZombie(pid)) ? "unknown" : start;
}

/** By a signal that does nothing: needs no file, so it also answers when none can be opened. */
function runsStill(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

async function isZombie(pid: number): Promise<boolean> {
  return (await linuxStat(pid))?.state === "Z";
}

async function linuxGroupRuns(group: number): Promise<boolean> {
  return (await linuxMembers(group)).length > 0;
}

async function linuxMembers(group: number): Promise<readonly string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => linuxStat(Number(pid))));
  return pids.filter((_pid, index) => {
    const stat = stats[index];
    return stat?.group === group && stat.state !== "Z" && stat.state !== "X";
  });
}

async function linuxGroupBytes(group: number): Promise<number> {
  const sizes = (await linuxMembers(group)).map(async (pid) => {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => ""); // it ended meanwhile
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1_024;
  });
  return sum(await Promise.all(sizes));
}

async function posixGroupBytes(group: number): Promise<number> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pgid=,rss="]).catch(() => ({ stdout: "" }));
  const rows = stdout.split("\n").map((line) => line.trim().split(/\s+/).map(Number));
  return sum(rows.filter(([pgid]) => pgid === group).map(([, size = 0]) => size * 1_024));
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}

type LinuxStat = {
  readonly state: string;
  readonly group: number;
  /** Device number of its terminal; 0: none. */
  readonly terminal: number;
  readonly startTicks: string;
};

/** The command name in /proc/<pid>/stat may hold spaces and brackets; the fields are counted from its end. */
export async function linuxStat(pid: number): Promise<LinuxStat | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0]!, group: Number(fields[2]), terminal: Number(fields[4]), startTicks: fields[19]! };
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined; // no such process
    throw error;
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
  } catch (error) {
    if (typeof (error as { readonly code?: unknown }).code === "number") return undefined; // ps found none
    throw error;
  }
}

async function posixGroupRuns(group: number): Promise<boolean> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pgid=,stat="]);
  return stdout.split("\n").some((line) => {
    const [pgid, state = ""] = line.trim().split(/\s+/);
    return Number(pgid) === group && !state.startsWith("Z");
  });
}

/** One `ps` for all of them; it ends with 1 when it finds none. */
async function posixStartTimes(processes: readonly Identified[]): Promise<readonly (string | undefined)[]> {
  const pids = processes.map(({ pid }) => pid);
  try {
    const { stdout } = await promisify(execFile)("ps", ["-o", "pid=,stat=,lstart=", "-p", pids.join(",")]);
    const lines = stdout.split("\n").map((line) => /^\s*(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line));
    const found = lines.flatMap((match) => (match === null || match[2]!.startsWith("Z") ? [] : [match]));
    const starts = new Map(found.map(([, pid, , start]) => [Number(pid), start]));
    return pids.map((pid) => starts.get(pid));
  } catch (error) {
    return pids.map(() => ((error as { code?: unknown }).code === 1 ? undefined : "unknown"));
  }
}
