/** The tables of the ledger, as a port: calls, and how far each source was read. */
import type { ClientName } from "../../contract/index.ts";
import type { ReaderState } from "./transcript-reader.ts";
import type { UsageRecord } from "./usage-record.ts";

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
  readonly client: ClientName;
  readonly cursor: Cursor;
  /** Lines that could not be understood, in all. */
  readonly unreadable: number;
};

export type LedgerRepository = {
  /** Of two records of one call the preferred one stays. */
  put(records: readonly UsageRecord[]): Promise<void>;
  sources(): Promise<readonly Source[]>;
  setSource(source: Source, at: number): Promise<void>;
  /** All, or those from a time on, a page at a time and in no order that means anything. */
  pages(query: { readonly since: number | undefined; readonly size: number }): AsyncIterable<readonly UsageRecord[]>;
  removeBefore(at: number): Promise<void>;
};
