/**
 * The operations of `sylk ask`: a question to its answer, the decision alone, and what the Guide counted.
 *
 * One event for each question, answered or not; deliveries are not events. A question that is not answered changes nothing
 * else.
 */
import {
  type AnswerType,
  ask as contract,
  DomainError,
  type InputOf,
  type Message,
  type MessageOf,
  messageOf,
  type OutputOf,
  type PayloadOf,
  type ProjectId,
  type SessionId,
} from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { defined } from "../../platform/defined.ts";
import type { EventRepository } from "../../platform/event-log/index.ts";
import type { Call } from "../../platform/operations/index.ts";
import type { Transaction } from "../../platform/store/index.ts";
import {
  type Guide,
  isUnsure,
  type RouteDecision,
  type Routed,
  type SessionRouter,
  Unanswered,
} from "../guide/index.ts";

type Repositories = { readonly events: EventRepository };
type Ports<All extends Repositories> = {
  readonly clock: Clock;
  readonly router: SessionRouter;
  /** Path of the project. */
  readonly scope: string;
  /** Makes what the event belongs to, if it is not there yet. */
  readonly ensureProject: (tx: All & Transaction) => Promise<ProjectId>;
  /** Travels with the question. */
  readonly metadata: Message["metadata"];
  /** Of a question that was not answered. */
  readonly recordFailure: (event: ReturnType<typeof contract.AskFailed.of>) => Promise<void>;
};
type Sent = OutputOf<"ask.send">;

const mostText = 2_000;
const mostUndelivered = 20;

export async function askQuestion<All extends Repositories>(
  { input, confirm, priority, timeoutMs, provider, rehearse }: InputOf<"ask.send">,
  { transact, signal = new AbortController().signal }: Call<All>,
  { clock, router, scope, ensureProject, metadata, recordFailure }: Ports<All>,
): Promise<Sent> {
  const startedAt = clock.monotonic();
  const sent = await router
    .route(input, {
      deadlineMs: timeoutMs,
      signal,
      confirm,
      ...defined({ priority }),
      metadata: { ...metadata, model: { provider, rehearse } },
    })
    .then(({ answers, decision }) => outputOf(decision, answers, router.session))
    .catch(async (error: unknown) => {
      const told = asTold(error);
      if (!signal.aborted) await recordFailure(failureOf(told, router.session, input, clock.monotonic() - startedAt));
      throw told;
    });
  return transact(scope, async (tx) => {
    const project = await ensureProject(tx);
    await tx.events.append(project, eventOf(sent, input, clock.monotonic() - startedAt));
    return sent;
  });
}

export function explainRoute(
  { input }: InputOf<"ask.routes">,
  router: SessionRouter,
  classifier?: { readonly provider: string; readonly lastFailure: string | undefined },
): OutputOf<"ask.routes"> {
  const { decision, candidates } = router.explain(input);
  const model =
    classifier !== undefined && isUnsure(decision)
      ? {
          provider: classifier.provider,
          ...defined({ lastFailure: classifier.lastFailure }),
        }
      : undefined;
  const { to, by, confidence, intent, domain, band } = decision;
  return {
    decision: { to: [...to], by, confidence, intent, domain, band },
    candidates: candidates.map((candidate) => ({ ...candidate, because: [...candidate.because] })),
    ...defined({ classifier: model }),
  };
}

export function guideMetrics({ session }: InputOf<"ask.metrics">, guide: Guide): OutputOf<"ask.metrics"> {
  const { counts, ...rest } = guide.metrics();
  const router = session === undefined ? undefined : guide.get(session);
  const undelivered = guide.undelivered(session).slice(-mostUndelivered);
  return {
    ...rest,
    counts: { ...counts },
    ...(router === undefined ? {} : { session: sessionMetrics(router) }),
    undelivered: undelivered.map(({ message, reason, attempts, error, at }) => {
      const { session: of, to, type } = message;
      return { session: of, to, type, reason, attempts, error, at };
    }),
  };
}

function sessionMetrics(router: SessionRouter): NonNullable<OutputOf<"ask.metrics">["session"]> {
  const { counts, agents, ...rest } = router.metrics();
  return { id: router.session, ...rest, counts: { ...counts }, agents: agents.map((agent) => ({ ...agent })) };
}

function outputOf(
  { kind, by, confidence, intent, domain }: RouteDecision,
  answers: Routed["answers"],
  session: SessionId,
): Sent {
  const first = answers.find((each) => "answer" in each);
  if (first === undefined) throw (answers[0] as { readonly error: Error }).error;
  const { text, data, model, label } = answerIn(first.answer);
  return {
    session,
    correlationId: first.answer.correlationId,
    to: first.from,
    by,
    confidence,
    intent,
    domain,
    answer: { text, ...defined({ data }) },
    ...defined({ model, label }),
    ...(kind === "broadcast" ? { answers: answers.map(listed) } : {}),
  };
}

function listed(each: Routed["answers"][number]): NonNullable<Sent["answers"]>[number] {
  if ("error" in each) return { to: each.from, error: each.error.message };
  const { text, data } = answerIn(each.answer);
  return { to: each.from, answer: { text, ...defined({ data }) } };
}

function answerIn(answer: MessageOf<AnswerType<"USER_INPUT">>): PayloadOf<"USER_RESPONSE"> {
  if (answer.type === "USER_RESPONSE") return answer.payload;
  const { plan } = answer.payload;
  return { text: plan.summary, data: { plan } };
}

function eventOf(sent: Sent, request: string, ms: number) {
  const { session, correlationId, to, by, confidence, intent, domain, answers, model } = sent;
  return contract.AskAnswered.of(session, {
    session,
    correlationId,
    to: answers?.map((each) => each.to) ?? [to],
    by,
    confidence,
    intent,
    domain,
    request: request.slice(0, mostText),
    ...defined({ model }),
    ms: Math.round(ms),
  });
}

function failureOf(error: unknown, session: SessionId, request: string, ms: number) {
  return contract.AskFailed.of(session, {
    session,
    request: request.slice(0, mostText),
    code: error instanceof DomainError ? error.code : "internal",
    reason: messageOf(error),
    ms: Math.round(ms),
  });
}

/** Silence is the role's, not the asker's. */
function asTold(error: unknown): unknown {
  if (!(error instanceof Unanswered)) return error;
  return new DomainError("role.unavailable", `${error.message}; ask again, or give it longer`, {
    details: { reason: "timeout" },
    cause: error,
  });
}
