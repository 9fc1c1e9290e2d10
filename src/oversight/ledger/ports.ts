/** The sources of usage. Adapters read clients' files; the composition root adds our own runs. */
import type { ClientName } from "../../contract/index.ts";
import type { Cursor, LedgerRepository } from "./store.ts";
import type { TranscriptPlace, TranscriptReader } from "./transcript-reader.ts";
import type { UsageRecord } from "./usage-record.ts";

export type TranscriptFile = TranscriptPlace & {
  readonly reader: TranscriptReader;
  readonly path: string;
  readonly inode: number;
  readonly size: number;
};

export type Transcripts = {
  list(): Promise<readonly TranscriptFile[]>;
  /** Once for all that is read of it: of many small files, opening is the dearest. */
  open(path: string): Promise<OpenTranscript>;
};

export type OpenTranscript = AsyncDisposable & {
  /** A hash of its first bytes. */
  headOf(bytes: number): Promise<string>;
  /** Whole lines that hold one of the marks, a block at a time; `next` is the byte after the block's last whole line. */
  blocks(
    from: number,
    marks: readonly string[],
  ): AsyncIterable<{ readonly lines: readonly string[]; readonly next: number }>;
};

/** A source that is not a file of lines. `records` begin after the mark; the same call twice does no harm. */
export type RecordSource = {
  readonly source: string;
  readonly client: ClientName;
  read(after: number): AsyncIterable<{
    readonly records: readonly UsageRecord[];
    readonly unreadable: number;
    readonly next: number;
  }>;
};

export type IntakePorts = {
  /** Runs a change of the ledger as one step: records and how far they were read belong together. */
  readonly change: (work: (ledger: LedgerRepository) => Promise<void>) => Promise<void>;
  readonly reader: LedgerRepository;
  readonly transcripts: Transcripts;
  readonly others: readonly RecordSource[];
  readonly now: () => number;
  /** A source that cannot be read is named, and the others are read all the same. */
  readonly onFailed: (source: string, error: unknown) => void;
};

export const fromTheStart: Omit<Cursor, "inode"> = { next: 0, head: "", headBytes: 0, state: {} };
