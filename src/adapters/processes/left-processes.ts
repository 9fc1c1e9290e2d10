/**
 * Finds the processes that clients' sessions started and that outlived their client, and sends them signals.
 *
 *   marker of the session in its environment, or child of such a process
 *   and of this user, younger than the client, not a process of this daemon, not the client of another live session
 *
 * The marker is the variable by which a client names its session to the processes it starts (client-sessions/). A process
 * that removed it and lost its parent cannot be proven to be the session's, and is left out.
 */
import { execFile } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import { promisify } from "node:util";
import { sessionVariables } from "../client-sessions/index.ts";
import { goneAmong } from "./process-identity.ts";

type EndedSession = {
  readonly client: string;
  readonly sessionKey: string;
  /** Of the client's process, as `startTimeOf` tells it; undefined where it is known no more. */
  readonly start?: string;
};
export type LeftProcess = {
  readonly pid: number;
  readonly start: string;
  readonly command: string;
  readonly state: "running";
};
type Seen = { readonly pid: number; readonly parent: number; readonly start: string; readonly order: number };
type Marked = Seen & { readonly environment: string; readonly command: string };

const longestCommand = 200;

/** For each session whose client is gone. `others`: clients that live; what they started is theirs. */
export async function processesLeftBy(
  gone: readonly EndedSession[],
  others: readonly { readonly pid: number }[],
): Promise<readonly (readonly LeftProcess[])[]> {
  const markers = gone.map(({ client, sessionKey }) => {
    const found = sessionVariables.find((one) => one.client === client);
    return found === undefined ? undefined : `${found.variable}=${sessionKey}`;
  });
  if (markers.every((marker) => marker === undefined)) return gone.map(() => []);
  const all = process.platform === "linux" ? await linuxProcesses() : await posixProcesses();
  const foreign = descendantsOf(new Set([process.pid, ...others.map(({ pid }) => pid)]), all);
  return gone.map(({ start }, index) => leftOf(markers[index], start === undefined ? 0 : orderOf(start), all, foreign));
}

function leftOf(
  marker: string | undefined,
  clientOrder: number,
  all: readonly Marked[],
  foreign: ReadonlySet<number>,
): readonly LeftProcess[] {
  if (marker === undefined) return [];
  const marked = all.filter(({ environment }) => environment.includes(`\0${marker}\0`)).map(({ pid }) => pid);
  const family = descendantsOf(new Set(marked), all);
  return all
    .filter(({ pid, order }) => family.has(pid) && !foreign.has(pid) && order >= clientOrder)
    .map(({ pid, start, command }) => ({ pid, start, command: command.slice(0, longestCommand), state: "running" }));
}

/** With those themselves. The first process of a container inherits what others left, so its children prove nothing. */
function descendantsOf(heads: ReadonlySet<number>, all: readonly Seen[]): ReadonlySet<number> {
  const found = new Set(heads);
  const childrenOf = Map.groupBy(all, ({ parent }) => parent);
  for (const pid of found) if (pid !== 1) for (const child of childrenOf.get(pid) ?? []) found.add(child.pid);
  return found;
}

/** Only to those that are still the same processes. */
export async function signalProcesses(
  processes: readonly { readonly pid: number; readonly start: string }[],
  signal: NodeJS.Signals,
): Promise<void> {
  const gone = new Set(await goneAmong(processes));
  for (const one of processes) {
    if (gone.has(one)) continue;
    try {
      process.kill(one.pid, signal);
    } catch {
      continue; // it ended meanwhile, or is not ours to end: the next look tells which
    }
  }
}

/** Files of a tree that were written after a time; one that is gone was written, too. */
export async function changedSince(tree: string, paths: readonly string[], at: number): Promise<readonly string[]> {
  const times = await Promise.all(
    paths.map((path) =>
      stat(`${tree}/${path}`).then(
        ({ mtimeMs }) => mtimeMs,
        () => undefined,
      ),
    ),
  );
  return paths.filter((_path, index) => times[index] !== undefined && times[index] > at);
}

/** Start times of one boot, in an order that can be compared. */
function orderOf(start: string): number {
  return process.platform === "linux" ? Number(start.split(":").at(-1)) : Date.parse(start);
}

async function linuxProcesses(): Promise<readonly Marked[]> {
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").then(
    (text) => text.trim(),
    () => "boot",
  );
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const seen = await Promise.all(pids.map((pid) => linuxProcess(Number(pid), boot)));
  return seen.filter((one) => one !== undefined);
}

async function linuxProcess(pid: number, boot: string): Promise<Marked | undefined> {
  try {
    const folder = `/proc/${pid}`;
    if ((await stat(folder)).uid !== process.getuid!()) return undefined;
    const text = await readFile(`${folder}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return undefined;
    const environment = await readFile(`${folder}/environ`, "utf8").catch(() => "");
    const command = (await readFile(`${folder}/cmdline`, "utf8")).split("\0").join(" ").trim();
    const order = Number(fields[19]);
    return {
      pid,
      parent: Number(fields[1]),
      start: `${boot}:${order}`,
      order,
      environment: `\0${environment}`,
      command,
    };
  } catch {
    return undefined; // it ended meanwhile
  }
}

/** `-E` shows the environment after the command; only of processes of the same user. */
async function posixProcesses(): Promise<readonly Marked[]> {
  const columns = ["-Aww", "-E", "-o", "pid=,ppid=,uid=,stat=,lstart=,command="];
  const { stdout } = await promisify(execFile)("ps", columns, { maxBuffer: 64 * 1_048_576 });
  return stdout.split("\n").flatMap((line) => {
    const found = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+ +\S+ +\d+ +[\d:]+ +\d+)\s+(.*)$/.exec(line);
    if (found === null || Number(found[3]) !== process.getuid!() || found[4]!.startsWith("Z")) return [];
    const [, pid, parent, , , start = "", command = ""] = found;
    const environment = `\0${command.split(" ").join("\0")}\0`;
    return [{ pid: Number(pid), parent: Number(parent), start, order: Date.parse(start), environment, command }];
  });
}
