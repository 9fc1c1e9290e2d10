/** Clients' transcripts on this disk: found, told apart by their beginning, and read on from any byte. */
import { createHash } from "node:crypto";
import { open, readdir, stat, type FileHandle } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import type { OpenTranscript, TranscriptFile, TranscriptReader, Transcripts } from "../../oversight/ledger/index.ts";

const blockBytes = 1 << 20;
/** A line above this holds no usage; without a limit one file could fill the memory. */
const longestLine = 64 << 20;
const newline = 10;
/** Thousands of files, most of them unchanged: one after the other each would wait for the one before. */
const statsAtOnce = 64;

export type TranscriptFolder = {
  readonly folder: string;
  /** Matches the path below the folder, with / between its parts. */
  readonly files: RegExp;
  readonly reader: TranscriptReader;
};

export function transcriptsIn(folders: readonly TranscriptFolder[]): Transcripts {
  return {
    async list() {
      const found: TranscriptFile[] = [];
      for (const folder of folders) found.push(...(await filesUnder(folder)));
      return found;
    },
    open: async (path) => openTranscript(await open(path)),
  };
}

function openTranscript(file: FileHandle): OpenTranscript {
  return {
    async headOf(bytes) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(bytes), 0, bytes, 0);
      return createHash("sha256").update(buffer.subarray(0, bytesRead)).digest("hex");
    },
    blocks: (from, marks) => readBlocks(file, from, marks),
    [Symbol.asyncDispose]: () => file.close(),
  };
}

/** Given back after use: fresh ones of this size are asked of the system each time, and thousands of files want one. */
const spareBuffers: Buffer[] = [];
const mostSpare = 8;

async function filesUnder({ folder, files: pattern, reader }: TranscriptFolder): Promise<readonly TranscriptFile[]> {
  const names = await readdir(folder, { recursive: true }).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return []; // the client was never used here
    throw error;
  });
  const paths = names
    .filter((one) => pattern.test(one.replaceAll(sep, "/")))
    .toSorted()
    .map((found) => join(folder, found));
  const files: TranscriptFile[] = [];
  for (let start = 0; start < paths.length; start += statsAtOnce)
    for (const file of await Promise.all(paths.slice(start, start + statsAtOnce).map((path) => fileAt(path, reader))))
      if (file !== undefined) files.push(file);
  return files;
}

/** Undefined where its client swept it away meanwhile. */
async function fileAt(path: string, reader: TranscriptReader): Promise<TranscriptFile | undefined> {
  const facts = await stat(path).catch(() => undefined);
  return facts?.isFile() ? { reader, path, inode: facts.ino, size: facts.size, ...placeOf(path) } : undefined;
}

/** A sub-agent's file is in a folder of its session: <session>/subagents/agent-<id>.jsonl */
function placeOf(path: string): Pick<TranscriptFile, "session" | "agent"> {
  const name = basename(path, ".jsonl");
  const folder = dirname(path);
  return basename(folder) === "subagents"
    ? { session: basename(dirname(folder)), agent: name.replace(/^agent-/, "") }
    : { session: name, agent: undefined };
}

async function* readBlocks(
  file: FileHandle,
  from: number,
  marks: readonly string[],
): ReturnType<OpenTranscript["blocks"]> {
  const wanted = marks.map((mark) => Buffer.from(mark));
  // One buffer for all of them: what a block yields is text, not a view of it.
  let buffer = spareBuffers.pop() ?? Buffer.allocUnsafe(blockBytes);
  try {
    for (let at = from; ;) {
      const size = buffer.length;
      const { bytesRead } = await file.read(buffer, 0, size, at);
      const end = buffer.subarray(0, bytesRead).lastIndexOf(newline) + 1;
      if (end > 0) {
        yield { lines: linesWith(wanted, buffer.subarray(0, end)), next: at + end };
        at += end;
      }
      if (bytesRead < size || (end === 0 && size >= longestLine)) return;
      if (end === 0) buffer = Buffer.allocUnsafe(size * 2); // a line longer than the block
    }
  } finally {
    if (buffer.length === blockBytes && spareBuffers.length < mostSpare) spareBuffers.push(buffer);
  }
}

/** Looks for marks in the bytes, so that most lines are neither decoded nor parsed. */
function linesWith(marks: readonly Buffer[], block: Buffer): readonly string[] {
  const starts = new Map<number, number>();
  for (const mark of marks) {
    for (let hit = block.indexOf(mark); hit !== -1;) {
      const start = block.lastIndexOf(newline, hit) + 1;
      const end = block.indexOf(newline, hit);
      starts.set(start, end);
      hit = block.indexOf(mark, end);
    }
  }
  return [...starts].toSorted(([a], [b]) => a - b).map(([start, end]) => block.toString("utf8", start, end));
}
