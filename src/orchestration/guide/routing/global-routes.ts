/**
 * Routes that all sessions with the same agents share. Sessions only read them.
 *
 *   a session decides -> counted -> the same decision 3 times, in 2 sessions at least -> global
 *
 * A different decision for the same text starts the count anew and takes the route out. Routes belong to the agents they
 * were learnt with: a session whose agents differ sees none of them, and a change of the shared agents ends them all.
 */
import type { SessionId } from "../../../contract/index.ts";
import { type CachedRoute, createRouteCache, type RouteCacheTerms } from "./route-cache.ts";

export const promotion = { times: 3, sessions: 2 } as const;

export interface GlobalRoutes {
  get(agents: string, key: string): CachedRoute | undefined;
  /** Called for every decision that was carried out and that no person had to make. */
  count(session: SessionId, agents: string, key: string, route: CachedRoute): void;
  clear(): void;
  readonly size: number;
}

/** Sets of agents that differ; beyond that nothing is shared anyway. */
const mostRegistries = 1_000;

type Tally = { readonly route: CachedRoute; readonly sessions: Set<SessionId>; times: number };

export function createGlobalRoutes({ capacity = 10_000, ...terms }: RouteCacheTerms): GlobalRoutes {
  const routes = createRouteCache({ capacity, ...terms });
  const tallies = new Map<string, Tally>();
  const numbers = new Map<string, number>();

  /** Fingerprints are long and few. */
  function keyOf(agents: string, key: string): string {
    const known = numbers.get(agents) ?? numbers.size;
    numbers.set(agents, known);
    return `${known}:${key}`;
  }

  function clear(): void {
    routes.forget();
    tallies.clear();
    numbers.clear();
  }

  return {
    get: (agents, key) => (routes.size === 0 ? undefined : routes.get(keyOf(agents, key))),
    count(session, agents, key, route) {
      if (numbers.size > mostRegistries) clear();
      const place = keyOf(agents, key);
      const current = routes.peek(place);
      if (current !== undefined && isSame(current, route)) return;
      routes.drop(place);
      const tally = tallyFor(place, route);
      tally.times++;
      tally.sessions.add(session);
      if (tally.times < promotion.times || tally.sessions.size < promotion.sessions) return;
      routes.set(place, route);
      tallies.delete(place);
    },
    clear,
    get size() {
      return routes.size;
    },
  };

  function tallyFor(place: string, route: CachedRoute): Tally {
    const known = tallies.get(place);
    tallies.delete(place);
    const tally =
      known !== undefined && isSame(known.route, route) ? known : { route, sessions: new Set<SessionId>(), times: 0 };
    for (const oldest of tallies.keys()) {
      if (tallies.size < capacity) break;
      tallies.delete(oldest);
    }
    tallies.set(place, tally);
    return tally;
  }
}

function isSame(a: CachedRoute, b: CachedRoute): boolean {
  return a.to === b.to && a.intent === b.intent && a.domain === b.domain;
}
