/** The running daemon's record of itself, replaced as a whole so that no reader sees half of it. */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

export type DaemonRecord = {
  readonly pid: number;
  readonly version: string;
  readonly protocol: number;
  readonly socket: string;
  readonly url: string | null;
  readonly startedAt: number;
  /** As the kernel tells it, so that a later process with the same pid is not taken for the daemon. */
  readonly processStart?: string | undefined;
};

export function writeDaemonRecord(file: string, record: DaemonRecord): void {
  const fresh = `${file}.${record.pid}`;
  writeFileSync(fresh, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  renameSync(fresh, file);
}

export function readDaemonRecord(file: string): DaemonRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as DaemonRecord;
  } catch {
    return undefined; // absent or torn by hand: nothing is known about a daemon
  }
}

/** Unless it names another process: a daemon that took over has written its own. */
export function removeDaemonRecord(file: string, pid: number): void {
  if ((readDaemonRecord(file)?.pid ?? pid) === pid) rmSync(file, { force: true });
}
