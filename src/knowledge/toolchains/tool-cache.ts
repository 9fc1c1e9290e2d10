/**
 * Answers that were found before. An entry belongs to a session, a path and a category; beneath it is one of the project,
 * which every session of the same path shares while its files are unchanged and its people chose the same tools.
 *
 *   session, path, category -> entry     path, category -> entry     both end by time, by request, or when a file changes
 */
import type { ToolAnswer, ToolChoices, ToolReport } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { ToolCategory } from "./tool-definition.ts";

export type CacheKey = {
  readonly session: string;
  readonly path: string;
  readonly category: ToolCategory;
  /** Languages, confidence and choices that were asked with. */
  readonly terms: string;
};
export type CacheEntry = {
  /** With the tools and the tier. */
  readonly answer: ToolAnswer;
  /** Tools that the user chose for the session or the project. */
  readonly overrides: ToolChoices["chosen"];
  /** Of the whole scan. */
  readonly about: Pick<ToolReport, "languages" | "packageManagers">;
  readonly discoveredAt: number;
  /** Files and folders that it was read from, and their state then. */
  readonly places: readonly string[];
  readonly stamp: string;
};
export type ToolCache = {
  /** `stampNow` tells the state of places now; entries of one scan share their places. */
  get(key: CacheKey, stampNow: StampNow): CacheEntry | undefined;
  set(key: CacheKey, entry: CacheEntry): void;
  /** Everything about a path, of all sessions. */
  invalidate(path: string): void;
  invalidateCategory(path: string, category: ToolCategory): void;
};

export type StampNow = (places: readonly string[]) => string;

const mostEntries = 2_000;

export function createToolCache(ports: {
  readonly clock: Pick<Clock, "now">;
  readonly keepMs: () => number;
}): ToolCache {
  const entries = new Map<string, CacheEntry & { readonly path: string }>();
  const isFresh = ({ discoveredAt, places, stamp }: CacheEntry, stampNow: StampNow): boolean =>
    Math.abs(ports.clock.now() - discoveredAt) < ports.keepMs() && stampNow(places) === stamp;
  const put = (name: string, { path }: CacheKey, entry: CacheEntry): void => {
    entries.delete(name);
    if (entries.size >= mostEntries) entries.delete(entries.keys().next().value!);
    entries.set(name, { ...entry, path });
  };
  const invalidate = (path: string, category?: ToolCategory): void => {
    for (const [name, { path: of, answer }] of entries)
      if (of === path && (category === undefined || answer.category === category)) entries.delete(name);
  };
  return {
    get(key, stampNow) {
      const own = entries.get(ofSession(key));
      const found = own ?? entries.get(ofProject(key));
      if (found === undefined) return undefined;
      if (!isFresh(found, stampNow)) {
        invalidate(key.path, key.category);
        return undefined;
      }
      if (own === undefined) put(ofSession(key), key, found);
      return found;
    },
    set(key, entry) {
      put(ofProject(key), key, entry);
      put(ofSession(key), key, entry);
    },
    invalidate: (path) => invalidate(path),
    invalidateCategory: invalidate,
  };
}

function ofSession({ session, path, category, terms }: CacheKey): string {
  return JSON.stringify([session, path, category, terms]);
}

function ofProject({ path, category, terms }: CacheKey): string {
  return JSON.stringify([path, category, terms]);
}
