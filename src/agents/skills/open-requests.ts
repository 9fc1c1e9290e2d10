/** Requests that agents have taken and not answered yet, kept over their calls. */
import type { SessionId, SkillRole } from "../../contract/index.ts";
import type { OpenRequests } from "./shared-skills.ts";

const mostAgents = 1_000;

/** A request is open until its agent answers; the agents unused for longest are forgotten. */
export function createOpenRequests(): (session: SessionId, role: SkillRole) => OpenRequests {
  const byAgent = new Map<string, OpenRequests>();
  return (session, role) => {
    const key = `${session} ${role}`;
    const open = byAgent.get(key) ?? new Map();
    byAgent.delete(key);
    byAgent.set(key, open);
    if (byAgent.size > mostAgents) byAgent.delete(byAgent.keys().next().value!);
    return open;
  };
}
