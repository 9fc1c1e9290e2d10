/** What the archive keeps in memory beside its rows: hooks, and answers until a change makes them wrong. */
import { type ArchiveHooks, createArchiveHooks } from "./archive-hooks.ts";
import { createQueryCache, type QueryCache } from "./query-cache.ts";

export type ArchiveMemory = { readonly hooks: ArchiveHooks; readonly cache: QueryCache };

export function createArchiveMemory(): ArchiveMemory {
  const hooks = createArchiveHooks();
  const cache = createQueryCache();
  hooks.add("post-store", cache.drop);
  return { hooks, cache };
}
