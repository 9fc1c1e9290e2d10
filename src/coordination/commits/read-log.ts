/**
 * What each agent has read lately: in this daemon's memory, because what somebody read before a restart it will read again.
 * Whoever read a file knows it as it was, so a commit of it concerns them.
 */
import type { AgentId, ProjectId } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";

export type ReadLog = {
  read(project: ProjectId, agent: AgentId, paths: readonly string[]): void;
  /** Who read one of them within the last `ms`. */
  readersOf(project: ProjectId, paths: readonly string[], ms: number): ReadonlySet<AgentId>;
  forget(agent: AgentId): void;
};

type Reads = { readonly project: ProjectId; readonly at: Map<string, number> };

/** An agent that reads a whole repository must not fill the memory; what it read first is forgotten first. */
const mostPaths = 2_000;

export function createReadLog(clock: Clock): ReadLog {
  const byAgent = new Map<AgentId, Reads>();
  return {
    read(project, agent, paths) {
      const { at } = readsOf(agent, project);
      const now = clock.monotonic();
      for (const path of paths) {
        at.delete(path);
        at.set(path, now);
      }
      for (const path of at.keys()) {
        if (at.size <= mostPaths) break;
        at.delete(path);
      }
    },
    readersOf(project, paths, ms) {
      const since = clock.monotonic() - ms;
      const isReader = ({ project: own, at }: Reads): boolean =>
        own === project && paths.some((path) => (at.get(path) ?? -Infinity) >= since);
      return new Set([...byAgent].filter(([, reads]) => isReader(reads)).map(([agent]) => agent));
    },
    forget: (agent) => void byAgent.delete(agent),
  };

  function readsOf(agent: AgentId, project: ProjectId): Reads {
    const reads = byAgent.get(agent) ?? { project, at: new Map() };
    byAgent.set(agent, reads);
    return reads;
  }
}
