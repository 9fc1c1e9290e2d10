/**
 * One request on its way to its answer.
 *
 *   seat -> circuit -> pending -> bus -> answer
 *     ^                            |-> failed: again, if asking twice changes nothing, 100 ms to 10 s later
 *     └── "not my domain" <--------┘   (the second time with a warning; the third time a person is asked)
 *
 * Invariant: whatever ends without an answer is counted, put aside with its reason, and told to the asker.
 */
import {
  DomainError,
  maySend,
  type Message,
  type MessageOf,
  messageOf,
  type RoleName,
} from "../../../contract/index.ts";
import { type AskBus, DeadlinePassed, NoSingleResponder } from "../../../platform/bus/index.ts";
import type { Clock } from "../../../platform/clock/index.ts";
import { defined } from "../../../platform/defined.ts";
import type { IdSource } from "../../../platform/ids/index.ts";
import type { Log } from "../../../platform/log/index.ts";
import { refuseForbidden, Undeliverable } from "../check-message.ts";
import type { Answer } from "../role-handler.ts";
import type { Seat } from "./agent-seats.ts";
import type { Counters } from "./guide-metrics.ts";
import type { PendingRequests } from "./pending-requests.ts";
import type { UndeliveredReason, UndeliveredRequests } from "./undelivered.ts";

/** The deadline passed; the receiver was told to stop. */
export class Unanswered extends Error {
  override readonly name = "Unanswered";
}

export type DeliveryPorts = {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly requests: AskBus<MessageOf, Answer>;
  readonly pending: PendingRequests<Answer>;
  readonly undelivered: UndeliveredRequests;
  readonly counters: Counters;
  readonly log: Pick<Log, "info" | "warn"> | undefined;
  /** Durable before the message is delivered. */
  readonly record: (message: Message) => Promise<void>;
  readonly seatOf: (role: RoleName) => Seat | undefined;
  readonly known: () => readonly RoleName[];
};
type Terms = { readonly deadlineMs: number; readonly signal: AbortSignal };
type Rerouting = Extract<Answer, { readonly type: "REROUTE_REQUEST" }>;
type Delivered = Exclude<Answer, Rerouting>;
export type Refusal = { readonly by: RoleName; readonly reason: string; readonly suggested?: RoleName };

const retryPauses = { firstMs: 100, mostMs: 10_000 } as const;
const mostRefusals = 3;

/** Gives back who answered last: a request may have been passed on. */
export async function deliverRequest(
  request: MessageOf,
  terms: Terms,
  ports: DeliveryPorts,
): Promise<{ readonly answer: Delivered; readonly request: MessageOf; readonly refusals: readonly Refusal[] }> {
  const until = ports.clock.monotonic() + terms.deadlineMs;
  const refusals: Refusal[] = [];
  let current = request;
  for (;;) {
    await ports.record(current);
    const answer = await deliverWithRetries(current, until, terms, ports);
    if (answer.type !== "REROUTE_REQUEST") return { answer, request: current, refusals };
    refusals.push(await refusalOf(current, answer, ports));
    current = { ...current, ...passedOn(current, refusals, ports), id: ports.ids.next("msg"), parentId: current.id };
  }
}

async function refusalOf(
  request: MessageOf,
  answer: Rerouting,
  { record, ids, clock }: DeliveryPorts,
): Promise<Refusal> {
  const { deadlineAt: _, ...rest } = request;
  const refusal: Message = {
    ...rest,
    id: ids.next("msg"),
    parentId: request.id,
    from: request.to,
    to: "guide",
    type: answer.type,
    payload: answer.payload,
    at: clock.now(),
    status: "completed",
  };
  refuseForbidden(refusal);
  await record(refusal);
  const { reason, suggested } = answer.payload;
  return { by: request.to, reason, ...defined({ suggested }) };
}

/** To whom the refused request goes next, or the question to the user. */
function passedOn(
  { type, from, metadata }: MessageOf,
  refusals: readonly Refusal[],
  { log, counters, seatOf }: DeliveryPorts,
): Pick<Message, "to" | "metadata"> {
  const { suggested } = refusals.at(-1)!;
  const seat = suggested === undefined ? undefined : seatOf(suggested);
  const isFree =
    suggested !== undefined &&
    seat !== undefined &&
    seat.health.state !== "dead" &&
    maySend(type, from, suggested) &&
    !refusals.some(({ by }) => by === suggested);
  if (!isFree || refusals.length >= mostRefusals)
    throw new DomainError(
      "route.unsure",
      `${refusals.map(({ by, reason }) => `${by} says "${reason}"`).join(" and ")}. Choose an agent: start the question with @to:<agent>`,
      { details: { refusals: [...refusals] } },
    );
  counters.count("message.rerouted");
  log?.[refusals.length === 1 ? "info" : "warn"]("guide.rerouted", { type, to: suggested, refusals });
  return { to: suggested, metadata: { ...metadata, refusals: [...refusals] } };
}

async function deliverWithRetries(
  request: MessageOf,
  until: number,
  { signal }: Terms,
  ports: DeliveryPorts,
): Promise<Answer> {
  const { clock, counters } = ports;
  for (let attempt = 1; ; attempt++) {
    const message = { ...request, attempt };
    const seat = seatFor(message, ports);
    try {
      return await deliverOnce(message, seat, { deadlineMs: Math.max(0, until - clock.monotonic()), signal }, ports);
    } catch (error) {
      if (signal.aborted) throw error;
      const again = isFailure(error) && attempt < request.maxAttempts;
      const pauseMs = Math.min(retryPauses.firstMs * 2 ** (attempt - 1), retryPauses.mostMs);
      if (!again || clock.monotonic() + pauseMs >= until) {
        putAside(message, seat.topic, reasonOf(error, attempt), error, ports);
        throw error;
      }
      counters.count("message.retried");
      await new Promise<void>((resolve) => clock.after(pauseMs, resolve, { keepAlive: true }));
      signal.throwIfAborted();
    }
  }
}

function seatFor(message: MessageOf, ports: DeliveryPorts): Seat {
  const seat = ports.seatOf(message.to);
  if (seat === undefined) {
    const error = new Undeliverable(
      `No agent ${message.to} listens in ${message.session}. Known: ${ports.known().join(", ") || "none"}`,
    );
    putAside(message, "", "unroutable", error, ports);
    throw error;
  }
  if (seat.breaker.enter()) return seat;
  const { retryAfterMs } = seat.breaker;
  const error = new DomainError(
    "role.unavailable",
    `${message.to} failed several times in a row; ask again in ${Math.ceil(retryAfterMs / 1000)} s`,
    { details: { role: message.to, reason: "circuit_open" }, retryAfterMs },
  );
  putAside(message, seat.topic, "circuit_open", error, ports);
  throw error;
}

async function deliverOnce(message: MessageOf, seat: Seat, terms: Terms, ports: DeliveryPorts): Promise<Answer> {
  const { clock, requests, pending } = ports;
  const startedAt = clock.monotonic();
  seat.health.began();
  try {
    const answer = await new Promise<Answer>((resolve, reject) => {
      // By its correlation an answer may come from elsewhere than from the handler; the first one counts.
      pending.add(message, resolve);
      requests.ask(seat.topic, message, terms).then(resolve, reject);
    });
    seat.breaker.succeeded();
    seat.health.answered(clock.monotonic() - startedAt);
    return answer;
  } catch (error) {
    seat.health.failed();
    if (terms.signal.aborted || !isFailure(error)) seat.breaker.abandoned();
    else seat.breaker.failed();
    if (error instanceof NoSingleResponder)
      throw new Undeliverable(`${error.responders} agents listen as ${message.to}; there must be one`, {
        cause: error,
      });
    if (!(error instanceof DeadlinePassed)) throw error;
    const seconds = Math.round(((message.deadlineAt ?? message.at) - message.at) / 1000);
    throw new Unanswered(`${message.to} did not answer ${message.type} within ${seconds} s`, { cause: error });
  } finally {
    pending.drop(message.correlationId);
  }
}

/** What says itself what to put right is an answer; what is left says that the agent is not well. */
function isFailure(error: unknown): boolean {
  if (error instanceof DomainError) return error.code === "role.unavailable";
  return !(error instanceof Undeliverable);
}

function reasonOf(error: unknown, attempts: number): UndeliveredReason {
  if (error instanceof Unanswered) return "timeout";
  if (!isFailure(error)) return "rejected";
  return attempts > 1 ? "retry_exhausted" : "processing_error";
}

function putAside(
  message: MessageOf,
  topic: string,
  reason: UndeliveredReason,
  error: unknown,
  { undelivered, counters }: DeliveryPorts,
): void {
  counters.count(`undelivered.${reason}`);
  const told = messageOf(error);
  undelivered.add({ message, topic, reason, attempts: message.attempt, error: told.slice(0, 1_000) });
}
