/** Reads a small text file that a command would run or take its input from. Only a plain file: a pipe would wait for ever. */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

const mostBytes = 64 * 1024;

/** Undefined for what is not there, not plain, too large, or not text. */
export function readTextFile(path: string): string | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(fd);
    if (!stats.isFile() || stats.size > mostBytes) return undefined;
    const buffer = Buffer.alloc(stats.size);
    const text = buffer.toString("utf8", 0, readSync(fd, buffer, 0, stats.size, 0));
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined; // not there, or not ours to read
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
