/**
 * A place in the log that moves forward: from one line to the next, from one file to the next younger one.
 *
 *   begin(n): n lines before the end, in whichever file that is -> readNew(): every complete line from there on
 *
 * Invariant: each complete line is given once and in order, as long as rotation does not remove a file
 * that was never opened here. The file stays open while it is read, so its inode cannot be reused.
 */
import { closeSync, fstatSync, statSync } from "node:fs";
import { logPath, type OpenLogFile, openLogFiles, readBytes } from "./log-files.ts";

const PIECE = 64 * 1024;
const NEWLINE = 0x0a;

export interface LogReader {
  begin(lines: number): void;
  readNew(): void;
  close(): void;
}

export function openLogReader(dir: string, onLine: (line: string) => void): LogReader {
  let file: OpenLogFile | undefined;
  let offset = 0;
  let unfinished: Buffer = Buffer.alloc(0);

  const moveTo = (next: OpenLogFile | undefined, from: number) => {
    if (file) closeSync(file.fd);
    [file, offset, unfinished] = [next, from, Buffer.alloc(0)];
  };

  const readToEnd = () => {
    if (!file) return;
    if (fstatSync(file.fd).size < offset) [offset, unfinished] = [0, Buffer.alloc(0)]; // the file was emptied
    for (let piece = readBytes(file.fd, offset, PIECE); piece.length > 0; piece = readBytes(file.fd, offset, PIECE)) {
      offset += piece.length;
      const { lines, rest } = splitLines(Buffer.concat([unfinished, piece]));
      unfinished = rest;
      for (const line of lines) onLine(line);
    }
  };

  return {
    begin(lines) {
      const files = openLogFiles(dir);
      const place = placeBeforeEnd(files, lines);
      closeAllBut(files, place?.file);
      moveTo(place?.file, place?.offset ?? 0);
    },
    readNew() {
      readToEnd();
      for (let next = nextYounger(dir, file); next; next = nextYounger(dir, file)) {
        readToEnd(); // what was appended between the last look and the rotation
        moveTo(next, 0);
        readToEnd();
      }
    },
    close: () => moveTo(undefined, 0),
  };
}

/** Undefined while `current` is still the one being written. A file that is gone was the oldest: all others are younger. */
function nextYounger(dir: string, current: OpenLogFile | undefined): OpenLogFile | undefined {
  if (current && statSync(logPath(dir, 0), { throwIfNoEntry: false })?.ino === current.inode) return undefined;
  const files = openLogFiles(dir);
  const index = files.findIndex(({ inode }) => inode === current?.inode);
  const next = (index === -1 ? files : files.slice(0, index)).at(-1);
  closeAllBut(files, next);
  return next;
}

function closeAllBut(files: readonly OpenLogFile[], kept: OpenLogFile | undefined): void {
  for (const file of files) if (file !== kept) closeSync(file.fd);
}

function placeBeforeEnd(
  newestFirst: readonly OpenLogFile[],
  lines: number,
): { file: OpenLogFile; offset: number } | undefined {
  let wanted = lines;
  let place: { file: OpenLogFile; offset: number } | undefined;
  for (const file of newestFirst) {
    const { offset, missing } = startOfLast(file.fd, wanted);
    place = { file, offset };
    wanted = missing;
    if (wanted === 0) break;
  }
  return place;
}

/** Searches backwards for the line end before the wanted lines; `missing` is how many the file lacks. */
function startOfLast(fd: number, wanted: number): { offset: number; missing: number } {
  let found = 0;
  let end = fstatSync(fd).size;
  while (end > 0) {
    const start = Math.max(0, end - PIECE);
    const piece = readBytes(fd, start, end - start);
    for (let at = piece.length - 1; at >= 0; at--) {
      if (piece[at] !== NEWLINE) continue;
      if (found === wanted) return { offset: start + at + 1, missing: 0 };
      found++;
    }
    end = start;
  }
  return { offset: 0, missing: wanted - found };
}

/** Bytes are decoded by whole lines only, so no character is ever cut in two. */
function splitLines(bytes: Buffer): { lines: readonly string[]; rest: Buffer } {
  const end = bytes.lastIndexOf(NEWLINE) + 1;
  const lines = bytes.subarray(0, end).toString("utf8").split("\n").slice(0, -1);
  return { lines: lines.filter((line) => line !== ""), rest: bytes.subarray(end) };
}
