/**
 * How a role answers: a table from message type to function, each with the payload of its type and the answers it allows.
 *
 *   answerMessages({ PLAN_APPROVED: async ({ payload }) => ({ type: "WORKFLOW_COMPLETE", payload: … }) })
 */
import type { AnswerType, MessageOf, MessageType, PayloadOf } from "../../contract/index.ts";
import { Undeliverable } from "./check-message.ts";

/** "Not my domain": the Guide passes the request on, so its asker never sees this answer. */
type Rerouting = "REROUTE_REQUEST";
type Said<Type extends MessageType> = {
  [Each in Type]: { readonly type: Each; readonly payload: PayloadOf<Each> };
}[Type];

/** What may be answered to a request of this type; of any type without one. */
export type Answer<Type extends MessageType = never> = [Type] extends [never]
  ? Said<MessageType>
  : Said<AnswerType<Type> | Rerouting>;
export type RoleHandler = (request: MessageOf, signal: AbortSignal) => Promise<Answer>;

export type MessageAnswers = {
  readonly [Type in MessageType]?: (request: MessageOf<Type>, signal: AbortSignal) => Promise<Answer<Type>>;
};
type AnyAnswer = (request: MessageOf, signal: AbortSignal) => Promise<Answer>;

export function answerMessages(answers: MessageAnswers): RoleHandler {
  return async (request, signal) => {
    // The key and the request have the same type, which the compiler cannot follow through a table.
    const answer = answers[request.type] as AnyAnswer | undefined;
    if (answer === undefined) throw new Undeliverable(`${request.to} does not answer ${request.type}`);
    return answer(request, signal);
  };
}
