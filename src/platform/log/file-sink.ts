/**
 * Writes log lines to `<dir>/daemon.log`, 0600 in a folder 0700, and rotates it by size.
 *
 *   line -> is the open file still the one at the path? -> room? else rotate -> append -> (report lost lines)
 *
 * Synchronous, so that the last line before a crash is on its way to the disk; the volume is low.
 * Invariant: a failing disk never reaches the caller. Lines that could not be written are counted, and the
 * first line that succeeds again is preceded by one that says how many.
 */
import {
  closeSync,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { messageOf } from "../../contract/errors.ts";
import type { Clock } from "../clock/index.ts";
import { logPath, MOST_LOG_FILES, readBytes } from "./log-files.ts";

export interface FileSinkOptions {
  readonly dir: string;
  /** A file that would grow beyond this is rotated first. */
  readonly maxBytes: number;
  /** Files kept, the current one included. */
  readonly keep: number;
  readonly clock: Pick<Clock, "now">;
}

export interface FileSink {
  readonly write: (line: string) => void;
  /** Lines lost and not yet reported in the log. */
  lostLines(): number;
  /** Why lines are being lost; tries again first, so that it tells what is so now. Undefined when all is well. */
  trouble(): { readonly lostLines: number; readonly reason: string } | undefined;
  close(): void;
}

export function fileSink({ dir, maxBytes, keep, clock }: FileSinkOptions): FileSink {
  let fd: number | undefined;
  let lost = 0;
  let reason = "";

  const close = () => {
    if (fd !== undefined) closeQuietly(fd);
    fd = undefined;
  };

  const append = (line: string) => {
    const bytes = Buffer.from(`${line}\n`);
    if (fd !== undefined && !isFileAt(fd, logPath(dir, 0))) close();
    fd ??= openLog(dir);
    const size = fstatSync(fd).size;
    if (size > 0 && size + bytes.length > maxBytes) {
      close();
      rotate(dir, Math.min(keep, MOST_LOG_FILES));
      fd = openLog(dir);
    }
    writeFully(fd, bytes);
  };

  const reportLost = () => {
    if (lost > 0) append(lostNotice(lost, clock.now()));
    lost = 0;
  };

  const attempt = (step: () => void): boolean => {
    try {
      step();
      return true;
    } catch (error) {
      reason = messageOf(error);
      close(); // the next line starts afresh, perhaps on a folder or disk that is back
      return false;
    }
  };

  const write = (line: string) => {
    const written = attempt(() => {
      reportLost();
      append(line);
    });
    if (!written) lost++;
  };

  const trouble = () => (attempt(reportLost) ? undefined : { lostLines: lost, reason });

  return { write, lostLines: () => lost, trouble, close };
}

function openLog(dir: string): number {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const fd = openSync(logPath(dir, 0), "a+", 0o600);
  try {
    fchmodSync(fd, 0o600);
    endTornLine(fd);
    return fd;
  } catch (error) {
    closeQuietly(fd);
    throw error;
  }
}

/** A crash or a full disk may have left half a line; the next one must not be glued to it. */
function endTornLine(fd: number): void {
  const { size } = fstatSync(fd);
  if (size > 0 && readBytes(fd, size - 1, 1).toString() !== "\n") writeFully(fd, Buffer.from("\n"));
}

/** False once the file was moved or removed: lines would go into a file that has no name. */
function isFileAt(fd: number, path: string): boolean {
  const there = statSync(path, { throwIfNoEntry: false });
  const open = fstatSync(fd);
  return there?.ino === open.ino && there.dev === open.dev;
}

/** Oldest first, so nothing is overwritten. Also removes what an earlier, larger `keep` has left. */
function rotate(dir: string, keep: number): void {
  for (let age = MOST_LOG_FILES; age >= 0; age--) {
    if (age >= keep - 1) rmSync(logPath(dir, age), { force: true });
    else renameIfPresent(logPath(dir, age), logPath(dir, age + 1));
  }
}

function renameIfPresent(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

function writeFully(fd: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
}

function closeQuietly(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // it is gone either way, and the lost line is counted already
  }
}

function lostNotice(count: number, at: number): string {
  return JSON.stringify({ at, level: "warn", event: "log.lines-lost", count });
}
