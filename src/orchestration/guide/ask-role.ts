/**
 * One role asks another, and waits.
 *
 *   envelope -> allowed? -> pre-dispatch hooks -> recorded -> delivered -> answer allowed? -> recorded -> post-dispatch hooks
 */
import {
  type Message,
  type MessageOf,
  messagePriorities,
  messageTerms,
  type MessageType,
  type RoleName,
  type RunId,
  type SessionId,
} from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import { checkAnswer, refuseForbidden, Undeliverable } from "./check-message.ts";
import { deliverRequest, type DeliveryPorts, Unanswered } from "./delivery/deliver-request.ts";
import type { DispatchReport, HookChain } from "./delivery/hook-chain.ts";
import type { AskTerms, SessionRouter } from "./router-port.ts";
import type { Channel } from "./session-topics.ts";

type Ports = DeliveryPorts & {
  readonly session: SessionId;
  readonly run: RunId | undefined;
  readonly hooks: HookChain;
  /** Aborted when the session closes. */
  readonly closing: AbortSignal;
  readonly announce: (role: RoleName, channel: Channel, message: Message) => void;
};
type Wanted = Pick<Message, "from" | "to" | "payload"> & { readonly type: MessageType };

const repeatedAttempts = 3;

export function createAsk(ports: Ports): SessionRouter["ask"] {
  const { session, clock, counters, hooks, closing, announce } = ports;

  return async (from, to, type, payload, terms) => {
    if (closing.aborted) throw new Undeliverable(`${session} is closed; its agents no longer answer`);
    let request = refuseForbidden(envelope({ from, to, type, payload }, terms, ports));
    counters.count("message.asked");
    const startedAt = clock.monotonic();
    try {
      request = await prepared(request);
      announce(request.to, "requests", request);
      const signal = AbortSignal.any([terms.signal, closing]);
      const delivered = await deliverRequest(request, { deadlineMs: terms.deadlineMs, signal }, ports);
      request = delivered.request;
      const response = checkAnswer(type, responseTo(request, delivered.answer, ports));
      await ports.record(response);
      announce(request.to, "responses", response);
      await report("completed", undefined, response);
      return response;
    } catch (error) {
      await report(error instanceof Unanswered ? "expired" : terms.signal.aborted ? "cancelled" : "failed", error);
      throw error;
    }

    function report(status: DispatchReport["status"], error?: unknown, answer?: Message): Promise<void> {
      counters.count(status === "completed" ? "message.answered" : `message.${status}`);
      const told = error instanceof Error ? { error: error.message } : {};
      if (status !== "completed")
        announce(request.to, "errors", { ...request, ...told, status, processedAt: clock.now() });
      const ms = clock.monotonic() - startedAt;
      return hooks.after("post-dispatch", { request, status, ms, ...told, ...defined({ answer }) });
    }
  };

  async function prepared(request: MessageOf): Promise<MessageOf> {
    const changed = await hooks.before("pre-dispatch", request);
    if (changed === request) return request;
    // A hook changes what is said and to whom, never its sender or its type: its asker waits for an answer to that.
    const { id, correlationId, from, type } = request;
    return refuseForbidden({ ...changed, id, correlationId, session, from, type });
  }
}

function envelope({ from, to, type, payload }: Wanted, terms: AskTerms, { ids, clock, session, run }: Ports): Message {
  const id = ids.next("msg");
  const at = clock.now();
  return {
    id,
    correlationId: id,
    ...(terms.parent === undefined ? {} : { parentId: terms.parent.id }),
    session,
    ...defined({ run }),
    from,
    to,
    type,
    payload,
    priority: terms.priority ?? messagePriorities.normal,
    at,
    deadlineAt: at + terms.deadlineMs,
    attempt: 1,
    maxAttempts: messageTerms(type)?.repeatable === true ? repeatedAttempts : 1,
    status: "processing",
    metadata: terms.metadata ?? {},
  };
}

function responseTo(
  request: MessageOf,
  answer: Pick<Message, "type" | "payload">,
  { ids, clock }: Pick<Ports, "ids" | "clock">,
): Message {
  const { deadlineAt: _, ...rest } = request;
  const at = clock.now();
  return {
    ...rest,
    id: ids.next("msg"),
    parentId: request.id,
    from: request.to,
    to: request.from,
    type: answer.type,
    payload: answer.payload,
    at,
    processedAt: at,
    status: "completed",
  };
}
