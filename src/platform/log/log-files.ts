/**
 * The files of the log: `daemon.log` is being written, `daemon.log.1` is the one before, and so on.
 *
 *   rotation moves a file to the next higher number; readers open from the newest to the oldest
 *
 * Invariant: because numbers only grow, a reader that opens upwards meets every file, perhaps twice, and
 * never skips one, even if a rotation happens meanwhile. The inode tells a file met twice.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";

/** The current one included. */
export const MOST_LOG_FILES = 20;

export function logPath(dir: string, age: number): string {
  return join(dir, age === 0 ? "daemon.log" : `daemon.log.${age}`);
}

export interface OpenLogFile {
  readonly fd: number;
  readonly inode: number;
}

/** Newest first. The caller closes each. */
export function openLogFiles(dir: string): readonly OpenLogFile[] {
  const files: OpenLogFile[] = [];
  for (let age = 0; age <= MOST_LOG_FILES; age++) {
    const fd = openIfPresent(logPath(dir, age));
    if (fd === undefined) continue;
    const inode = fstatSync(fd).ino;
    if (files.some((file) => file.inode === inode)) closeSync(fd);
    else files.push({ fd, inode });
  }
  return files;
}

function openIfPresent(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Fewer bytes than asked for only at the end of the file. */
export function readBytes(fd: number, from: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(fd, buffer, filled, length - filled, from + filled);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}
