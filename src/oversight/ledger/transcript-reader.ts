/** How one client's transcript is read: line by line, with what must be remembered between lines. */
import type { ClientName } from "../../contract/index.ts";
import type { UsageRecord } from "./usage-record.ts";

export type Totals = {
  readonly input: number;
  readonly output: number;
  readonly cached: number | undefined;
  readonly cacheWrite: number | undefined;
};

/** Kept with the place in the file, so that reading continues in the middle. */
export type ReaderState = {
  readonly session?: string;
  readonly model?: string;
  /** Of a client whose counters only grow. */
  readonly totals?: Totals;
};

export type TranscriptPlace = {
  /** From the file's name; what the lines say goes first. */
  readonly session: string;
  readonly agent: string | undefined;
};

export type LineResult =
  | { readonly state: ReaderState; readonly record: UsageRecord | undefined }
  /** The line cannot be understood although it should hold usage. */
  | "unreadable";

export type TranscriptReader = {
  readonly client: ClientName;
  /** A line with none of these words says nothing about usage and is never parsed. */
  readonly marks: readonly string[];
  read(line: string, state: ReaderState, place: TranscriptPlace): LineResult;
};
