/** Columns of a row as values of the domain: an empty column is undefined. */
import type { SqlValue } from "./store/index.ts";

export function textIn(column: SqlValue | undefined): string | undefined {
  return column === null || column === undefined ? undefined : String(column);
}

export function numberIn(column: SqlValue | undefined): number | undefined {
  return column === null || column === undefined ? undefined : Number(column);
}

/** The column was written from a T. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller says what it wrote
export function jsonIn<T>(column: SqlValue | undefined): T {
  return JSON.parse(String(column)) as T;
}
