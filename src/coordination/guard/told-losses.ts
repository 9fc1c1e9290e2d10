/**
 * The agents that were told that a path went to another agent since. The first write after a loss is refused, so that the agent looks
 * again; the next one may have the path if it is free. Kept in memory: after a restart an agent is told once more.
 */
import type { AgentId } from "../../contract/index.ts";

export type ToldLosses = {
  /** False when the agent was told of this very loss before. */
  tell(agent: AgentId, path: string, token: number): boolean;
};

const mostKept = 10_000;

export function createToldLosses(): ToldLosses {
  const told = new Set<string>();
  return {
    tell(agent, path, token) {
      const key = `${agent} ${token} ${path}`;
      if (told.has(key)) return false;
      if (told.size >= mostKept) told.delete(told.values().next().value!);
      told.add(key);
      return true;
    },
  };
}
