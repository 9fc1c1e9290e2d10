/**
 * The Guide's scope of one session: its agents, its routes, what it waits for.
 *
 *   ask(from, to, type, payload)  between roles      route(text)  whom a person's words are for, and their answer
 *
 * Invariant: every message carries this session; nothing of it is seen from another one.
 */
import {
  invalidInput,
  type Message,
  messageTerms,
  type RoleName,
  type RunId,
  type SessionId,
} from "../../contract/index.ts";
import type { Bus } from "../../platform/bus/index.ts";
import { defined } from "../../platform/defined.ts";
import { createAsk } from "./ask-role.ts";
import { refuseForbidden, Undeliverable } from "./check-message.ts";
import { type AgentSeats, createAgentSeats, type Seat } from "./delivery/agent-seats.ts";
import type { DeliveryPorts } from "./delivery/deliver-request.ts";
import { createCounters, type Counters } from "./delivery/guide-metrics.ts";
import type { HookChain } from "./delivery/hook-chain.ts";
import { createPendingRequests } from "./delivery/pending-requests.ts";
import type { Answer } from "./role-handler.ts";
import { routeText } from "./route-text.ts";
import type { SessionRouter } from "./router-port.ts";
import { classifyText } from "./routing/classify-text.ts";
import { createCorrections } from "./routing/corrections.ts";
import type { ClassifyByModel } from "./routing/classify-by-model.ts";
import { decideByCode, type DecidePorts } from "./routing/decide-route.ts";
import type { GlobalRoutes } from "./routing/global-routes.ts";
import { createRouteCache } from "./routing/route-cache.ts";
import { scoreAgents } from "./routing/score-agents.ts";
import { readSavedRouter, type SavedRouter } from "./saved-router.ts";
import { createSessionAgents } from "./session-agents.ts";
import { openSessionBus } from "./session-bus.ts";
import { freshState, type SessionState } from "./session-state.ts";
import { agentTopic, sessionTopic } from "./session-topics.ts";

/** What all sessions of a Guide share. */
export type RouterPorts = Omit<DeliveryPorts, "pending" | "counters" | "seatOf" | "known"> & {
  readonly bus: Bus<Message>;
  readonly shared: AgentSeats;
  readonly routes: GlobalRoutes;
  readonly hooks: HookChain;
  readonly counters: Counters;
  readonly beatMs: number;
  readonly classifyByModel?: ClassifyByModel | undefined;
  readonly onClosed: () => void;
};
/** What only the Guide needs of a router. */
export type RouterInside = {
  readonly router: SessionRouter;
  readonly state: SessionState;
  seatOf(role: RoleName): Seat | undefined;
  /** Of a shared agent: told and counted here when its request is over. */
  dropLate(request: Message): void;
  /** The shared agents are others now. */
  forgetRoutes(): void;
};

export function createSessionRouter(session: SessionId, run: RunId | undefined, ports: RouterPorts): RouterInside {
  const { clock, log } = ports;
  const counters = createCounters(ports.counters);
  const pending = createPendingRequests<Answer>({ clock });
  const seats = createAgentSeats({
    ...ports,
    topicOf: (role) => sessionTopic(run ?? session, role, "requests"),
    onAnswer: dropLate,
  });
  const topics = openSessionBus(ports.bus, session, []);
  const own = createRouteCache({ clock });
  const corrections = createCorrections();
  const state = freshState();
  const closing = new AbortController();
  const agents = createSessionAgents(seats, ports.shared, clock);
  const delivery: DeliveryPorts = {
    ...ports,
    pending,
    counters,
    seatOf: agents.seatOf,
    known: () => agents.cards().map(({ name }) => name),
  };

  /** Who answers has changed: what was learnt about whom to ask may be wrong now. */
  function forgetRoutes(): void {
    agents.changed();
    own.forget();
  }
  const decidePorts = (): DecidePorts => ({
    ...ports,
    session,
    open: agents.open(),
    fingerprint: agents.fingerprint(),
    own,
    shared: ports.routes,
    corrections,
    counters,
  });

  function dropLate(request: Message): void {
    if (pending.find(request.correlationId) !== undefined) return;
    counters.count("message.dropped");
    log?.warn("guide.answer-dropped", { session, correlation: request.correlationId, from: request.to });
  }

  const ask = createAsk({
    ...ports,
    ...delivery,
    session,
    run,
    closing: closing.signal,
    announce(role, channel, message) {
      if (agents.isOwn(role)) topics.publish(role, channel, message);
      else if (ports.shared.find(role) !== undefined) ports.bus.publish(agentTopic(role, channel), message);
    },
  });

  const router: SessionRouter = {
    session,
    register(agent, handler) {
      const card = typeof agent === "string" ? { name: agent, constraints: { internal: true } } : agent;
      seats.take(card, handler);
      topics.addAgent(card.name);
      forgetRoutes();
    },
    unregister(role) {
      const left = seats.leave(role);
      if (left) forgetRoutes();
      return left;
    },
    agents: agents.cards,
    ask,
    async broadcast(from, type, payload, { to, ...terms }) {
      const ways = messageTerms(type)?.ways.filter((way) => way.from.includes(from)) ?? [];
      const receivers =
        to ?? agents.cards().flatMap(({ name }) => (ways.some((way) => way.to.includes(name)) ? [name] : []));
      const settled = await Promise.allSettled(receivers.map((each) => ask(from, each, type, payload, terms)));
      return settled.map((outcome, index) => ({
        from: receivers[index]!,
        ...(outcome.status === "fulfilled" ? { answer: outcome.value } : { error: outcome.reason as Error }),
      }));
    },
    explain(text) {
      const decision = decideByCode(text, decidePorts());
      if (decision.candidates.length > 0) return { decision, candidates: decision.candidates };
      const classified = classifyText(decision.text);
      return { decision, candidates: scoreAgents(decision.text, classified, agents.open()) };
    },
    route: (text, terms) => routeText(text, terms, { ...ports, router, counters, decidePorts }),
    reply(correlation, from, answer) {
      const request = pending.find(correlation);
      const isOurs = request !== undefined && request.to === from;
      if (isOurs) refuseForbidden({ ...request, ...answer, from, to: request.from });
      if (isOurs && pending.settle(correlation, answer)) return true;
      counters.count("message.dropped");
      log?.warn("guide.answer-dropped", { session, correlation, from });
      return false;
    },
    correct(text, to) {
      if (!agents.open().some(({ name }) => name === to))
        throw invalidInput("to", `${to} is not known here`, { sentence: `there is no ${to} to correct the route to` });
      counters.count("route.corrected");
      corrections.add({ text, to });
      own.forget();
    },
    heartbeat: (role) => agents.seatOf(role)?.health.beat(),
    pending: () => pending.list(),
    metrics: () => ({
      counts: counters.read(),
      pending: pending.size,
      cachedRoutes: own.size,
      cacheHits: own.hits,
      agents: agents.states(pending),
    }),
    state: () => state,
    serialize(): SavedRouter {
      const { turns, lastTarget, lastIntent } = state;
      return {
        version: 1,
        session,
        pending: [...pending.list()],
        routes: [...own.save()],
        corrections: [...corrections.list()],
        state: {
          turns,
          ...defined({ lastTarget, lastIntent }),
        },
      };
    },
    restore(saved) {
      const read = readSavedRouter(saved, session);
      for (const request of read.pending) pending.add(request);
      own.load(read.routes);
      for (const correction of read.corrections) corrections.add(correction);
      Object.assign(state, { lastTarget: undefined, lastIntent: undefined, ...read.state });
    },
    close() {
      if (closing.signal.aborted) return;
      closing.abort(new Undeliverable(`${session} was closed`));
      seats.clear();
      topics.close();
      pending.clear();
      own.forget();
      ports.onClosed();
    },
  };

  return { router, state, seatOf: agents.seatOf, dropLate, forgetRoutes };
}
