/**
 * A person's words on their way to an answer.
 *
 *   pre-route hooks -> decide -> post-route hooks -> sure enough? -> USER_INPUT -> answer -> learnt for the next time
 *
 *   confidence  >= 0.90 carried out   >= 0.75 carried out and logged for review   >= 0.50 only if confirmed   below: refused
 */
import { DomainError, invalidInput, type Message, type PayloadOf, type RoleName } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { Log } from "../../platform/log/index.ts";
import type { Counters } from "./delivery/guide-metrics.ts";
import type { HookChain } from "./delivery/hook-chain.ts";
import { type DecidePorts, decideRoute, isUnsure, type RouteDecision } from "./routing/decide-route.ts";
import type { GlobalRoutes } from "./routing/global-routes.ts";
import { routeKey } from "./routing/route-cache.ts";
import type { BroadcastAnswer, Routed, RouteTerms, SessionRouter } from "./router-port.ts";

type Ports = {
  readonly router: Pick<SessionRouter, "session" | "agents" | "broadcast" | "ask" | "correct">;
  readonly hooks: HookChain;
  readonly counters: Counters;
  readonly routes: GlobalRoutes;
  readonly log: Pick<Log, "info" | "warn"> | undefined;
  readonly decidePorts: () => DecidePorts;
};

type QuestionAnswer = BroadcastAnswer<"USER_INPUT">;

/** What they ask for changes something each time; an old decision must not stand for a new one. */
const notLearnt = new Set(["execute", "store", "declare", "complete", "interrupt", "unknown"]);

export async function routeText(text: string, terms: RouteTerms, ports: Ports): Promise<Routed> {
  const { router, hooks, counters } = ports;
  const { session } = router;
  const request = await hooks.before("pre-route", { session, text, metadata: terms.metadata ?? {} });
  const { classifyByModel, ...deciding } = ports.decidePorts();
  // Who says whom it is for needs no model to guess it.
  const asked = terms.confirm === undefined ? { ...deciding, classifyByModel } : deciding;
  const decided = await decideRoute(request.text, asked, { metadata: request.metadata, signal: terms.signal });
  await hooks.after("post-route", decided);
  const decision = settled(decided, terms.confirm, ports);
  counters.count(`routed.${decision.by}`);
  const { by, intent, domain, confidence, params, data } = decision;
  const payload: PayloadOf<"USER_INPUT"> = {
    text: decision.text === "" ? text.trim() : decision.text,
    routedBy: by,
    intent,
    domain,
    ...defined({ params, data }),
  };
  const metadata = { ...request.metadata, decision: { by, intent, domain, confidence } };
  const answers = await answersOf(decision, payload, { ...terms, metadata }, router);
  learn(decision, answers, terms.confirm !== undefined, ports);
  return { session, decision, answers };
}

async function answersOf(
  { kind, to }: RouteDecision,
  payload: PayloadOf<"USER_INPUT">,
  terms: RouteTerms & { readonly metadata: Message["metadata"] },
  router: Ports["router"],
): Promise<readonly QuestionAnswer[]> {
  if (kind === "broadcast") return router.broadcast("user", "USER_INPUT", payload, { ...terms, to });
  const answer = await router.ask("user", to[0]!, "USER_INPUT", payload, terms);
  return [{ from: answer.from, answer }];
}

/** The decision that is carried out, or the refusal that says how it would be. */
function settled(decision: RouteDecision, confirm: RoleName | undefined, ports: Ports): RouteDecision {
  if (decision.kind === "reply")
    throw invalidInput("request", "a reply answers a request", {
      sentence:
        "request: @from marks an agent's reply, and there is no request of yours that waits for one; write @to:<agent>",
    });
  if (decision.by === "tag") return decision;
  if (confirm !== undefined) {
    if (decision.to[0] !== confirm) ports.router.correct(decision.text, confirm);
    return { ...decision, to: [confirm], confidence: 1, band: "execute" };
  }
  const { band, to, confidence, candidates } = decision;
  if (isUnsure(decision) && decision.unclassified !== undefined)
    ports.log?.warn("guide.unclassified", { session: decision.session, reason: decision.unclassified });
  if (band === "reject") throw unknown(decision, ports);
  if (band === "confirm") {
    ports.counters.count("route.unsure");
    throw new DomainError(
      "route.unsure",
      `This is probably for ${to[0]} (${confidence.toFixed(2)}); confirm it with --confirm ${to[0]}, or start it with @to:<agent>${noModel(decision)}`,
      { details: { to: to[0], confidence, candidates: [...candidates], ...modelFailure(decision) } },
    );
  }
  if (band === "log") ports.log?.info("guide.route-review", { session: decision.session, to: to[0], confidence });
  return decision;
}

function noModel({ unclassified }: RouteDecision): string {
  return unclassified === undefined ? "" : ` (the model that should say it could not: ${unclassified})`;
}

function modelFailure({ unclassified }: RouteDecision): object {
  return unclassified === undefined ? {} : { classifier: unclassified };
}

function unknown(decision: RouteDecision, { counters, router }: Ports): DomainError {
  const { candidates, confidence } = decision;
  counters.count("route.rejected");
  const known = router.agents().filter(({ constraints }) => constraints?.internal !== true);
  const lines = known.map(({ name, description }) => (description === undefined ? name : `${name} (${description})`));
  return new DomainError(
    "route.unknown",
    `No agent clearly matches this; start it with @to:<agent>. Known: ${lines.join(", ") || "none"}${noModel(decision)}`,
    {
      details: {
        known: known.map(({ name }) => name),
        confidence,
        candidates: [...candidates],
        ...modelFailure(decision),
      },
    },
  );
}

/** Only what was answered by whom it was sent to: a refused route was wrong. */
function learn(
  decision: RouteDecision,
  answers: readonly QuestionAnswer[],
  confirmed: boolean,
  { routes, decidePorts }: Ports,
): void {
  const { by, intent, domain, confidence, text, session, to } = decision;
  if (by === "tag" || notLearnt.has(intent)) return;
  const { own, fingerprint, corrections } = decidePorts();
  const key = routeKey(text);
  if (answers[0]?.from !== to[0]) return own.drop(key);
  const route = { to: to[0]!, intent, domain, confidence };
  own.set(key, route);
  // What a person said is this session's own; only what the rules say may be shared by all sessions.
  if (!corrections.concern(text) && !confirmed) routes.count(session, fingerprint, key, route);
}
