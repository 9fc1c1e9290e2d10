/**
 * The terminals of processes ("pts/3"), remembered for each process: a process keeps its terminal.
 *
 *   linux      /proc/<pid>/stat, read once per process
 *   elsewhere  one `ps` for all that are not known, behind the answer: it is there the next time
 *
 * A process that is gone, or has become another with the same pid, has none.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { terminalName } from "./terminal-name.ts";
import { goneAmong, linuxStat, type Identified } from "./process-identity.ts";

const mostKept = 2_000;

export function createTerminals(): (processes: readonly Identified[]) => Promise<ReadonlyMap<number, string>> {
  const known = new Map<string, string | undefined>();
  const keyOf = ({ pid, start }: Identified): string => `${pid} ${start}`;
  const keep = (one: Identified, terminal: string | undefined): void => {
    if (known.size >= mostKept) known.delete(known.keys().next().value!);
    known.set(keyOf(one), terminal);
  };
  let asking = false;
  async function learn(unknown: readonly Identified[]): Promise<void> {
    const gone = new Set((await goneAmong(unknown)).map(keyOf));
    const here = unknown.filter((one) => !gone.has(keyOf(one)));
    const terminals = process.platform === "linux" ? await linuxTerminals(here) : await posixTerminals(here);
    for (const one of unknown) keep(one, gone.has(keyOf(one)) ? undefined : terminals.get(one.pid));
  }
  return async (processes) => {
    const unknown = processes.filter((one) => !known.has(keyOf(one)));
    if (unknown.length > 0 && process.platform === "linux") await learn(unknown);
    else if (unknown.length > 0 && !asking) {
      asking = true;
      void learn(unknown).finally(() => (asking = false));
    }
    return new Map(
      processes.flatMap((one) => {
        const terminal = known.get(keyOf(one));
        return terminal === undefined ? [] : [[one.pid, terminal] as const];
      }),
    );
  };
}

async function linuxTerminals(processes: readonly Identified[]): Promise<ReadonlyMap<number, string>> {
  const found = await Promise.all(
    processes.map(async ({ pid }) => {
      const stat = await linuxStat(pid).catch(() => undefined); // not to be seen: not known
      return [pid, stat && terminalName(stat.terminal)] as const;
    }),
  );
  return new Map(found.flatMap(([pid, terminal]) => (terminal === undefined ? [] : [[pid, terminal] as const])));
}

async function posixTerminals(processes: readonly Identified[]): Promise<ReadonlyMap<number, string>> {
  const pids = processes.map(({ pid }) => pid).join(",");
  const { stdout } = await promisify(execFile)("ps", ["-o", "pid=,tty=", "-p", pids]).catch(() => ({ stdout: "" }));
  const rows = stdout.split("\n").map((line) => line.trim().split(/\s+/));
  return new Map(rows.flatMap(([pid, tty]) => (tty === undefined || tty.startsWith("?") ? [] : [[Number(pid), tty]])));
}
