/** Whose focus a caller moves. */
import type { Caller } from "../../contract/index.ts";

/**
 * A person has one focus in each project, so that a shell in one repository does not stop what another shell does
 * elsewhere. An agent has a focus of its own.
 */
export function focusClient(caller: Caller, project: string): string {
  return caller.kind === "agent" && caller.agent.client !== "human" ? caller.agent.id : `user ${project}`;
}
