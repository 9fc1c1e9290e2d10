/** Handlers of private indexes: what `contract/session-index.ts` names. */
import { inSteps, type OperationHandlers, type OperationsOn } from "../../platform/operations/index.ts";
import type { SessionIndexPorts, SessionIndexRepositories } from "./ports.ts";
import { closeIndex, openIndex } from "./session-index.ts";

export function privateIndexHandlers(
  ports: SessionIndexPorts,
): OperationHandlers<SessionIndexRepositories, OperationsOn<"index">> {
  return {
    "index.open": (input, call) => openIndex(input, inSteps(call, ports.store), ports),
    "index.close": (_, call) => closeIndex(inSteps(call, ports.store), ports),
  };
}
