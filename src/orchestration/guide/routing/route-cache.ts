/**
 * Decisions that were made before, by the trimmed lower-case text. Bounded: the one unused for longest makes room.
 *
 * Only the decision is kept: what the text says is read again each time, so no parameter of another request comes back.
 */
import type { RoleName } from "../../../contract/index.ts";
import type { Clock } from "../../../platform/clock/index.ts";

export type CachedRoute = {
  readonly to: RoleName;
  readonly intent: string;
  readonly domain: string;
  readonly confidence: number;
};
export type SavedRoute = CachedRoute & { readonly key: string; readonly leftMs: number };

export interface RouteCache {
  get(key: string): CachedRoute | undefined;
  set(key: string, route: CachedRoute): void;
  /** As `get`, and counts as no use. */
  peek(key: string): CachedRoute | undefined;
  drop(key: string): void;
  /** Those that lead to one agent, or all. */
  forget(agent?: RoleName): void;
  save(): readonly SavedRoute[];
  load(routes: readonly SavedRoute[]): void;
  readonly size: number;
  readonly hits: number;
}

type Entry = { readonly route: CachedRoute; readonly until: number };
export type RouteCacheTerms = { readonly clock: Clock; readonly capacity?: number; readonly keepMs?: number };

const hourMs = 3_600_000;

export const routeKey = (text: string): string => text.trim().toLowerCase();

export function createRouteCache({ clock, capacity = 10_000, keepMs = hourMs }: RouteCacheTerms): RouteCache {
  const entries = new Map<string, Entry>();
  let hits = 0;
  function put(key: string, entry: Entry): void {
    entries.delete(key);
    for (const oldest of entries.keys()) {
      if (entries.size < capacity) break;
      entries.delete(oldest);
    }
    entries.set(key, entry);
  }
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      if (entry.until <= clock.monotonic()) return undefined;
      entries.set(key, entry);
      hits++;
      return entry.route;
    },
    peek: (key) => {
      const entry = entries.get(key);
      return entry === undefined || entry.until <= clock.monotonic() ? undefined : entry.route;
    },
    drop: (key) => void entries.delete(key),
    set: (key, route) => put(key, { route, until: clock.monotonic() + keepMs }),
    forget(agent) {
      if (agent === undefined) return entries.clear();
      for (const [key, { route }] of entries) if (route.to === agent) entries.delete(key);
    },
    save: () => {
      const now = clock.monotonic();
      return [...entries].flatMap(([key, { route, until }]) =>
        until > now ? [{ key, ...route, leftMs: until - now }] : [],
      );
    },
    load(routes) {
      for (const { key, leftMs, ...route } of routes)
        put(key, { route, until: clock.monotonic() + Math.min(leftMs, keepMs) });
    },
    get size() {
      return entries.size;
    },
    get hits() {
      return hits;
    },
  };
}
