/** The running daemon's record of itself, replaced as a whole so that no reader sees half of it. */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

export type DaemonRecord = {
  readonly pid: number;
  readonly version: string;
  readonly protocol: number;
  readonly socket: string;
  readonly url: string | null;
  readonly startedAt: number;
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

export function removeDaemonRecord(file: string): void {
  rmSync(file, { force: true });
}
