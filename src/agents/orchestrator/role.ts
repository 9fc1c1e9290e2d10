/**
 * The Orchestrator's seat in a run. It forwards questions of Engineers to the Architect. A question that only the user can
 * answer blocks the node (see help.ts). carry-out.ts executes the nodes.
 */
import { answerMessages, type RoleHandler, type SessionRouter } from "../../orchestration/guide/index.ts";
import { passOnHelp } from "./help.ts";

export function createOrchestrator(ports: { readonly guide: Pick<SessionRouter, "ask"> }): RoleHandler {
  return answerMessages({ TASK_HELP: (message, signal) => passOnHelp(message, signal, ports) });
}
