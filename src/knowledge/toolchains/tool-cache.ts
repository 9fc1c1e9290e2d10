/**
 * Answers that were found before. An entry belongs to a session, a path and a category; beneath it is one of the project,
 * which every session of the same path shares while its files are unchanged.
 *
 *   session, path, category -> entry     path, category -> entry     both end by time, by request, or when a file changes
 */
import type { ToolAnswer } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { ToolCategory } from "./tool-definition.ts";

export type CacheKey = {
  readonly session: string;
  readonly path: string;
  readonly category: ToolCategory;
  /** Languages and confidence that were asked for. */
  readonly terms: string;
};
export type CacheEntry<Extra> = {
  readonly answer: ToolAnswer;
  /** Of the whole scan: languages, package managers. */
  readonly scan: Extra;
  readonly discoveredAt: number;
  /** Files and folders that it was read from, and their state then. */
  readonly places: readonly string[];
  readonly stamp: string;
};
export type ToolCache<Extra> = {
  /** `stampNow` tells the state of places now; entries of one scan share their places. */
  get(key: CacheKey, stampNow: StampNow): CacheEntry<Extra> | undefined;
  set(key: CacheKey, entry: CacheEntry<Extra>): void;
  /** Everything about a path, of all sessions. */
  invalidate(path: string): void;
  invalidateCategory(path: string, category: ToolCategory): void;
};

export type StampNow = (places: readonly string[]) => string;

const mostEntries = 2_000;

export function createToolCache<Extra>(ports: {
  readonly clock: Pick<Clock, "now">;
  readonly keepMs: () => number;
}): ToolCache<Extra> {
  const entries = new Map<string, CacheEntry<Extra> & { readonly path: string; readonly category: ToolCategory }>();
  const isFresh = ({ discoveredAt, places, stamp }: CacheEntry<Extra>, stampNow: StampNow): boolean =>
    Math.abs(ports.clock.now() - discoveredAt) < ports.keepMs() && stampNow(places) === stamp;
  const put = (name: string, { path, category }: CacheKey, entry: CacheEntry<Extra>): void => {
    entries.delete(name);
    if (entries.size >= mostEntries) entries.delete(entries.keys().next().value!);
    entries.set(name, { ...entry, path, category });
  };
  const removeWhere = (isGone: (entry: { path: string; category: ToolCategory }) => boolean): void => {
    for (const [name, entry] of entries) if (isGone(entry)) entries.delete(name);
  };
  return {
    get(key, stampNow) {
      const own = entries.get(ofSession(key));
      const found = own ?? entries.get(ofProject(key));
      if (found === undefined) return undefined;
      if (!isFresh(found, stampNow)) {
        removeWhere(({ path, category }) => path === key.path && category === key.category);
        return undefined;
      }
      if (own === undefined) put(ofSession(key), key, found);
      return found;
    },
    set(key, entry) {
      put(ofProject(key), key, entry);
      put(ofSession(key), key, entry);
    },
    invalidate: (path) => removeWhere((entry) => entry.path === path),
    invalidateCategory: (path, category) => removeWhere((entry) => entry.path === path && entry.category === category),
  };
}

function ofSession({ session, path, category, terms }: CacheKey): string {
  return JSON.stringify([session, path, category, terms]);
}

function ofProject({ path, category, terms }: CacheKey): string {
  return JSON.stringify([path, category, terms]);
}
