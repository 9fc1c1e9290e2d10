/** Names the client whose focus a caller moves. */
import type { Caller } from "../../contract/index.ts";

/**
 * A person has one focus in each project, so that a shell in one repository does not pause a session in another. Each
 * agent has its own focus.
 */
export function focusClient(caller: Caller, project: string): string {
  return caller.kind === "agent" && caller.agent.client !== "human" ? caller.agent.id : `user ${project}`;
}
