/**
 * Ingests what clients wrote since the last time. Each client's adapter brings its own reader.
 *
 *   list files -> where each was left -> new whole lines -> records -> one step: records + how far
 *
 * A file that is shorter than before, or begins otherwise, is read from its start: calls are known by their keys, so
 * nothing counts twice. A last line without its end waits until it has one.
 */
import {
  fromTheStart,
  type IntakePorts,
  type OpenTranscript,
  type RecordSource,
  type TranscriptFile,
} from "./ports.ts";
import type { Cursor, Source } from "./store.ts";
import type { ReaderState } from "./transcript-reader.ts";
import { preferred, type UsageRecord } from "./usage-record.ts";

const headLength = 1024;
const mostRecords = 1_000;
const mostSources = 200;
/** While one file is parsed, others are waited for. */
const filesAtOnce = 8;

export async function ingestUsage(ports: IntakePorts): Promise<void> {
  const known = new Map((await ports.reader.sources()).map((source) => [source.source, source]));
  const batch = createBatch(ports);
  // They share one iterator: a reader that is done takes the next file.
  const files = (await ports.transcripts.list()).values();
  const readNextFiles = async (): Promise<void> => {
    for (const file of files)
      await ingestFile(file, known.get(file.path), ports, batch).catch((error: unknown) =>
        ports.onFailed(file.path, error),
      );
  };
  await Promise.all(Array.from({ length: filesAtOnce }, readNextFiles));
  for (const other of ports.others)
    await ingestSource(other, known.get(other.source), batch).catch((error: unknown) =>
      ports.onFailed(other.source, error),
    );
  await batch.write();
}

type Batch = { add(records: readonly UsageRecord[], source: Source): Promise<void>; write(): Promise<void> };

/** Thousands of small files must not cost a commit each, nor one commit hold the writer for long. */
function createBatch({ change, now }: IntakePorts): Batch {
  let records = new Map<string, UsageRecord>();
  let sources = new Map<string, Source>();
  const write = async (): Promise<void> => {
    const [put, set] = [records, sources];
    if (set.size === 0) return;
    records = new Map();
    sources = new Map();
    await change(async (ledger) => {
      await ledger.put([...put.values()]);
      for (const source of set.values()) await ledger.setSource(source, now());
    });
  };
  return {
    write,
    async add(more, source) {
      // An answer spans several lines, one after the other: most of them need not reach the store.
      for (const record of more) {
        const known = records.get(record.key);
        records.set(record.key, known === undefined ? record : preferred(known, record));
      }
      sources.set(source.source, source);
      if (records.size >= mostRecords || sources.size >= mostSources) await write();
    },
  };
}

async function ingestFile(
  file: TranscriptFile,
  before: Source | undefined,
  ports: IntakePorts,
  batch: Batch,
): Promise<void> {
  const { reader, path, inode, size } = file;
  if (before !== undefined && before.cursor.next === size && before.cursor.inode === inode) return;
  await using opened = await ports.transcripts.open(path);
  const cursor = await whereToContinue(file, before?.cursor, opened);
  const headBytes = Math.min(headLength, size);
  const head = headBytes === cursor.headBytes ? cursor.head : await opened.headOf(headBytes);
  let { state } = cursor;
  let unreadable = cursor.next === 0 ? 0 : (before?.unreadable ?? 0);
  for await (const block of opened.blocks(cursor.next, reader.marks)) {
    const read = readLines(block.lines, state, file);
    state = read.state;
    unreadable += read.unreadable;
    const next: Cursor = { next: block.next, inode, head, headBytes, state };
    await batch.add(read.records, { source: path, client: reader.client, cursor: next, unreadable });
  }
}

async function whereToContinue(
  { inode, size }: TranscriptFile,
  cursor: Cursor | undefined,
  opened: OpenTranscript,
): Promise<Cursor> {
  const anew = { ...fromTheStart, inode };
  if (cursor === undefined || size < cursor.next || size < cursor.headBytes) return anew;
  return (await opened.headOf(cursor.headBytes)) === cursor.head ? cursor : anew;
}

function readLines(
  lines: readonly string[],
  start: ReaderState,
  file: TranscriptFile,
): { readonly records: readonly UsageRecord[]; readonly state: ReaderState; readonly unreadable: number } {
  const records: UsageRecord[] = [];
  let state = start;
  let unreadable = 0;
  for (const line of lines) {
    const result = file.reader.read(line, state, file);
    if (result === "unreadable") unreadable++;
    else {
      state = result.state;
      if (result.record !== undefined) records.push(result.record);
    }
  }
  return { records, state, unreadable };
}

async function ingestSource(
  { source, client, read }: RecordSource,
  before: Source | undefined,
  batch: Batch,
): Promise<void> {
  let unreadable = before?.unreadable ?? 0;
  for await (const found of read(before?.cursor.next ?? 0)) {
    unreadable += found.unreadable;
    await batch.add(found.records, {
      source,
      client,
      cursor: { ...fromTheStart, inode: 0, next: found.next },
      unreadable,
    });
  }
}
