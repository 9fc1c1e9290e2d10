/**
 * The files that each agent has read lately, so that a commit can be told to those who know the old content. In this
 * daemon's memory, like what there is to catch up with: after a restart looking again is right anyway.
 */
import type { AgentId } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";

export type RecentReads = {
  /** Paths from the root of a working tree. */
  remember(agent: AgentId, paths: readonly string[]): void;
  readersOf(paths: ReadonlySet<string>, withinMs: number): readonly AgentId[];
  forget(agent: AgentId): void;
};

const mostPaths = 2_000;
const mostAgents = 1_000;

export function createRecentReads(clock: Clock): RecentReads {
  const reads = new Map<AgentId, Map<string, number>>();
  return {
    remember(agent, paths) {
      const own = reads.get(agent) ?? new Map<string, number>();
      reads.delete(agent);
      if (reads.size >= mostAgents) reads.delete(reads.keys().next().value!);
      reads.set(agent, own); // the one heard of last is forgotten last
      for (const path of paths) {
        own.delete(path);
        if (own.size >= mostPaths) own.delete(own.keys().next().value!);
        own.set(path, clock.monotonic());
      }
    },
    readersOf(paths, withinMs) {
      const since = clock.monotonic() - withinMs;
      const isReader = (own: ReadonlyMap<string, number>): boolean =>
        [...paths].some((path) => (own.get(path) ?? -Infinity) > since);
      return [...reads].filter(([, own]) => isReader(own)).map(([agent]) => agent);
    },
    forget: (agent) => void reads.delete(agent),
  };
}
