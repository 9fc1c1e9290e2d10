/**
 * The hash of a row covers each column as its storage class, its length and its very bytes.
 *
 *   "integer:1:7" "integer:13:1789…" "text:15:{"kind":"user"}" … -> SHA-256 -> hex
 *
 * Values are hashed as they are stored, not as JavaScript reads them: text that is no longer UTF-8 and integers beyond
 * 2^53 must not pass for what they were.
 */
import { createHash } from "node:crypto";

/** In the order in which they are hashed. */
export const hashedColumns = [
  "sequence",
  "at",
  "actor",
  "action",
  "subject",
  "project",
  "details",
  "previous",
] as const;
type HashedColumn = (typeof hashedColumns)[number];

/** A value as SQLite keeps it: its storage class, and its bytes (of an integer: its decimal digits). */
export type StoredValue = { readonly type: string; readonly bytes: Uint8Array };
export type ChainRow = Readonly<Record<HashedColumn | "hash", StoredValue>>;

/** The hash before the first row. */
export const firstPrevious = "0".repeat(64);

export function hashRow(row: Readonly<Record<HashedColumn, StoredValue>>): string {
  const hash = createHash("sha256");
  for (const column of hashedColumns) {
    const { type, bytes } = row[column];
    hash.update(`${type}:${bytes.length}:`).update(bytes);
  }
  return hash.digest("hex");
}

/** The same for a value that is about to be stored. */
export function storedValue(value: string | number | null): StoredValue {
  if (value === null) return { type: "null", bytes: new Uint8Array() };
  return { type: typeof value === "number" ? "integer" : "text", bytes: Buffer.from(String(value)) };
}

/** Undefined where the column holds anything but text. */
export function textOf({ type, bytes }: StoredValue): string | undefined {
  return type === "text" ? Buffer.from(bytes).toString("latin1") : undefined;
}
