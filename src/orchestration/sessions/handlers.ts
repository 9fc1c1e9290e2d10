/** The handlers of `contract/session.ts`, `session-values.ts` and `session-messages.ts`. */
import type { OperationHandlers, OperationsOn } from "../../platform/operations/index.ts";
import type { SessionPart } from "./session-context.ts";
import type { SessionTx } from "./session-for.ts";
import { type SessionOperationPorts, sessionOperations } from "./session-operations.ts";

export function sessionHandlers<Tx extends SessionTx, Parts extends Record<string, SessionPart>>(
  ports: SessionOperationPorts<Tx, Parts>,
): OperationHandlers<Tx, OperationsOn<"session">> {
  const operations = sessionOperations(ports);
  return {
    "session.create": (input, call) => operations.create(input, call),
    "session.list": (input, { caller }) => operations.list(input, caller),
    "session.get": (input, { caller }) => operations.get(input, caller),
    "session.switch": (input, call) => operations.switch(input, call),
    "session.pause": (input, call) => operations.pause(input, call),
    "session.resume": (input, call) => operations.resume(input, call),
    "session.suspend": (input, call) => operations.suspend(input, call),
    "session.close": (input, call) => operations.close(input, call),
    "session.set": (input, call) => operations.set(input, call),
    "session.unset": (input, call) => operations.unset(input, call),
    "session.promote": (input, call) => operations.promote(input, call),
    "session.note": (input, call) => operations.note(input, call),
    "session.messages": (input, call) => operations.messages(input, call),
    "session.stats": (_, { caller }) => operations.stats(caller),
  };
}
