/** What an implementation of the store port brings to its conformance suite. */
import type { Store, Transaction } from "../../src/platform/store/index.ts";

export type Rows = Readonly<Record<string, string>>;

export type Notes = {
  put(key: string, text: string): Promise<void>;
  remove(key: string): Promise<void>;
  all(): Promise<Rows>;
  /** From now on the database cannot grow. */
  takeRoom(): Promise<void>;
  makeRoom(): Promise<void>;
};

export type ScratchStore = Disposable & {
  readonly store: Store<{ readonly notes: Notes }>;
  /** What another client of the database sees; in an embedded store this costs microtasks only. */
  seenOutside(): Promise<Rows>;
  /** What the store reported because no caller could be told. */
  readonly defects: readonly unknown[];
};

export type Tx = { readonly notes: Notes } & Transaction;

/** Part of the message of a handle that is used too late. */
export const ended = "transaction has ended";

/** Needs more pages than any free list of a fresh database holds. */
export const tooLong = "x".repeat(500_000);
