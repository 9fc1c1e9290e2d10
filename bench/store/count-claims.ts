/** Looks into a store without a daemon: what was acknowledged must be there. */
import { join } from "node:path";
import Database from "better-sqlite3";

export function requireClaims(home: string, expected: number): void {
  const store = new Database(join(home, "sylk.db"), { readonly: true });
  const owned = count(store, "SELECT count(*) FROM work_items WHERE owner IS NOT NULL");
  const recorded = count(store, "SELECT count(*) FROM events WHERE type = 'work-item.claimed'");
  store.close();
  if (owned !== expected || recorded !== expected)
    throw new Error(`${expected} claims were acknowledged; the store has ${owned} owners and ${recorded} events`);
}

function count(store: Database.Database, query: string): number {
  return store.prepare(query).pluck().get() as number;
}
