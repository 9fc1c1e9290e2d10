/** Checks a message against the registry: its way, its payload, and the type of an answer. */
import {
  type AnswerType,
  mayAnswer,
  maySend,
  type Message,
  type MessageOf,
  messageTerms,
  type MessageType,
} from "../../contract/index.ts";

/** A message that cannot be delivered as it is: a defect of the sender, never retried. */
export class Undeliverable extends Error {
  override readonly name = "Undeliverable";
}

export function refuseForbidden(message: Message): MessageOf {
  const { type, from, to, payload } = message;
  const terms = messageTerms(type);
  if (terms === undefined) throw new Undeliverable(`there is no message type ${type}`);
  if (!maySend(type, from, to)) throw new Undeliverable(`${from} may not send ${type} to ${to}`);
  const checked = terms.payload.safeParse(payload);
  // The one place where a payload gets the type that its schema has just confirmed.
  if (checked.success) return message as MessageOf;
  const problems = checked.error.issues.map(
    ({ path, message: problem }) => `${path.join(".") || "payload"}: ${problem}`,
  );
  throw new Undeliverable(`the payload of ${type} is wrong: ${problems.slice(0, 5).join("; ")}`);
}

/** The answer as its asker expects it. */
export function checkAnswer<Type extends MessageType>(type: Type, answer: Message): MessageOf<AnswerType<Type>> {
  const message = refuseForbidden(answer);
  if (mayAnswer(message.type, type)) return message as MessageOf<AnswerType<Type>>;
  throw new Undeliverable(`${message.type} does not answer ${type}`);
}
