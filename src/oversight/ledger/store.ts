/** What the ledger keeps: calls, and how far each source was read. */
import type { ReaderState } from "./transcript-reader.ts";
import type { LedgerClient, UsageRecord } from "./usage-record.ts";

export type Cursor = {
  /** Of a file: the byte after the last whole line that was read. Of a database or log: its own mark. */
  readonly next: number;
  readonly inode: number;
  /** Of the first `headBytes` bytes: another file under the same name begins otherwise. */
  readonly head: string;
  readonly headBytes: number;
  readonly state: ReaderState;
};
export type Source = {
  readonly source: string;
  readonly client: LedgerClient;
  readonly cursor: Cursor;
  /** Lines that could not be understood, in all. */
  readonly unreadable: number;
};

export type LedgerRepository = {
  /** Of two records of one call the preferred one stays. */
  put(records: readonly UsageRecord[]): Promise<void>;
  sources(): Promise<readonly Source[]>;
  setSource(source: Source, at: number): Promise<void>;
  /** In the order in which calls were found; `after` is the mark of the page before. */
  page(query: {
    readonly since: number | undefined;
    readonly after: number;
    readonly limit: number;
  }): Promise<{ readonly records: readonly UsageRecord[]; readonly next: number | undefined }>;
  removeBefore(at: number): Promise<void>;
};
