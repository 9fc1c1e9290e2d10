/**
 * The Guide: every message between agents passes here.
 *
 *   ask(from, to, type) -> allowed? -> recorded -> session.{id}.{to}.requests -> handler -> answer -> asker
 *
 * Routing is code and costs nothing, so nobody needs a way around it. A request is awaited with a deadline; roles hold no
 * reference to each other, only to the Guide.
 */
import {
  messageTypes,
  type Message,
  type MessageType,
  type RoleName,
  type RunId,
  type SessionId,
} from "../../contract/index.ts";
import { createAskBus, DeadlinePassed, NoSingleResponder } from "../../platform/bus/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import { sessionTopic } from "./session-topics.ts";

export type Answer = { readonly type: MessageType; readonly payload: Message["payload"] };
export type RoleHandler = (request: Message, signal: AbortSignal) => Promise<Answer>;
export type AskTerms = { readonly parent?: Message; readonly deadlineMs: number; readonly signal: AbortSignal };

export type Guide = {
  register(role: RoleName, handler: RoleHandler): void;
  ask(from: RoleName, to: RoleName, type: MessageType, payload: Message["payload"], terms: AskTerms): Promise<Message>;
};

type Ports = {
  readonly session: SessionId;
  readonly run: RunId;
  readonly ids: IdSource;
  readonly clock: Clock;
  /** Durable before the message is delivered; once per request and once per answer. */
  readonly record: (message: Message) => Promise<void>;
};

/** A message that cannot be delivered as it is: a defect of the sender, never retried. */
export class Undeliverable extends Error {
  override readonly name = "Undeliverable";
}

/** The deadline passed; whoever was asked was told to stop. */
export class Unanswered extends Error {
  override readonly name = "Unanswered";
}

export function createGuide({ session, run, ids, clock, record }: Ports): Guide {
  const requests = createAskBus<Message, Answer>({ clock });
  const registered = new Set<RoleName>();
  const topic = (role: RoleName): string => sessionTopic(session, role, "requests");

  function deliver(message: Message, { deadlineMs, signal }: AskTerms): Promise<Answer> {
    return requests.ask(topic(message.to), message, { deadlineMs, signal }).catch((error: unknown) => {
      if (error instanceof NoSingleResponder)
        throw new Undeliverable(`${error.responders} agents listen as ${message.to}; there must be one`, {
          cause: error,
        });
      if (error instanceof DeadlinePassed)
        throw new Unanswered(`${message.to} did not answer ${message.type} within ${Math.round(deadlineMs / 1000)} s`, {
          cause: error,
        });
      throw error;
    });
  }

  return {
    register(role, handler) {
      if (registered.has(role))
        throw new Undeliverable(`somebody listens as ${role} already; a request has one receiver`);
      registered.add(role);
      requests.respond(topic(role), handler);
    },
    async ask(from, to, type, payload, terms) {
      const id = ids.next("msg");
      const at = clock.now();
      const request: Message = {
        id,
        correlationId: id,
        ...(terms.parent === undefined ? {} : { parentId: terms.parent.id }),
        session,
        run,
        from,
        to,
        type,
        payload,
        at,
        deadlineAt: at + terms.deadlineMs,
        attempt: 1,
        status: "processing",
      };
      refuseForbidden(request);
      await record(request);
      const { type: answerType, payload: answer } = await deliver(request, terms);
      const response: Message = {
        id: ids.next("msg"),
        correlationId: id,
        parentId: id,
        session,
        run,
        from: to,
        to: from,
        type: answerType,
        payload: answer,
        at: clock.now(),
        attempt: 1,
        status: "completed",
      };
      refuseForbidden(response);
      await record(response);
      return response;
    },
  };
}

function refuseForbidden({ type, from, to }: Message): void {
  const terms: { readonly from: readonly RoleName[]; readonly to: readonly RoleName[] } =
    messageTypes[type as MessageType];
  if (terms.from.includes(from) && terms.to.includes(to)) return;
  throw new Undeliverable(`${from} may not send ${type} to ${to}`);
}
