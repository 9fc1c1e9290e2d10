/**
 * The Guide: every message between agents passes here. One Guide, one scope per session and per run.
 *
 *   open(session) -> SessionRouter -> ask, route -> allowed? -> recorded -> session.{id}.{to}.requests -> handler -> answer
 *
 * Routing is code and costs nothing, so no caller needs a way around it. A request is awaited with a deadline; roles hold no
 * reference to each other, only to the Guide.
 */
import type { Message, MessageOf, RoleName, RunId, SessionId } from "../../contract/index.ts";
import { createAskBus, createBus } from "../../platform/bus/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import { defaultBeatMs } from "../../platform/heartbeat.ts";
import type { Log } from "../../platform/log/index.ts";
import { createAgentSeats } from "./delivery/agent-seats.ts";
import { createCounters, type Counts } from "./delivery/guide-metrics.ts";
import { createHookChain, type Hook, type HookPoint } from "./delivery/hook-chain.ts";
import { createUndelivered, type Undelivered } from "./delivery/undelivered.ts";
import { messageFilter, type MessageFilter } from "./message-filter.ts";
import { createMessageTails, type MessageTail } from "./message-tail.ts";
import type { Answer, RoleHandler } from "./role-handler.ts";
import type { SessionRouter } from "./router-port.ts";
import type { AgentCard } from "./routing/agent-card.ts";
import type { ClassifyByModel } from "./routing/classify-by-model.ts";
import { createGlobalRoutes } from "./routing/global-routes.ts";
import { addSessionHooks } from "./session-hooks.ts";
import { createSessionRouter, type RouterInside } from "./session-router.ts";
import { agentTopic, channels } from "./session-topics.ts";

/** A run has a router of its own in its session: the same role may be at work in several runs at once. */
export type RunScope = {
  readonly run: RunId;
  /** Durable before the message is delivered; once per request and once per answer. */
  readonly record: (message: Message) => Promise<void>;
};

export type Guide = {
  /** The router of a session, or of a run in it; made on the first call. */
  open(session: SessionId, scope?: RunScope): SessionRouter;
  get(scope: SessionId | RunId): SessionRouter | undefined;
  close(scope: SessionId | RunId): void;
  closeAll(): void;
  /** Agents that answer in every session; a session's own agent of that role comes first. */
  registerShared(card: AgentCard, handler: RoleHandler): void;
  unregisterShared(role: RoleName): boolean;
  shared(): readonly AgentCard[];
  /** Where the words of a client belong that names no session. */
  active(client: string): Promise<SessionId | undefined>;
  addHook<Point extends HookPoint>(point: Point, hook: Hook<Point>): () => void;
  /** Hears requests, responses and errors as they pass, for example at `*.errors`. */
  watch(pattern: string, handler: (message: Message) => void, filter?: MessageFilter): () => void;
  /** The latest ones of a session; none where `keepMessages` is not set. */
  messages(session: SessionId): MessageTail;
  metrics(): { readonly sessions: number; readonly globalRoutes: number; readonly counts: Counts };
  undelivered(session?: SessionId): readonly Undelivered[];
};

/** Which session a client looks at, each its own. Sessions keep it: it moves by a switch and ends with the session. */
export type Focus = { readonly focusOf: (client: string) => Promise<SessionId | undefined> };

export type GuidePorts = {
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Of messages outside of runs. */
  readonly record: (message: Message) => Promise<void>;
  readonly log?: Pick<Log, "info" | "warn">;
  readonly classifyByModel?: ClassifyByModel;
  /** None inside a run, which is not observed from outside. */
  readonly focus?: Focus;
  /** How often the workers of agents say that they live. */
  readonly beatMs?: number;
  /** How many messages of each open session are kept to be looked at. */
  readonly keepMessages?: number;
};

export function createGuide(given: GuidePorts): Guide {
  const { clock, ids, record, log, classifyByModel, focus, beatMs = defaultBeatMs, keepMessages = 0 } = given;
  const routers = new Map<SessionId | RunId, RouterInside>();
  const routerOf = ({ session, run }: Pick<Message, "session" | "run">) => routers.get(run ?? session);
  const requests = createAskBus<MessageOf, Answer>({ clock });
  const bus = createBus<Message>({
    onSubscriberError: ({ error, pattern }) => log?.warn("guide.watcher-failed", { error, pattern }),
  });
  const tails = createMessageTails(keepMessages);
  if (keepMessages > 0)
    for (const channel of channels)
      bus.subscribe(`*.${channel}`, (message, topic) => tails.add(channel, topic, message));
  const counters = createCounters();
  const undelivered = createUndelivered({ clock });
  const routes = createGlobalRoutes({ clock });
  const hooks = createHookChain({
    clock,
    onPostFailure: (hook, error) => log?.warn("guide.hook-failed", { hook, error }),
  });
  const shared = createAgentSeats({
    clock,
    beatMs,
    requests,
    topicOf: (role) => agentTopic(role, "requests"),
    onAnswer: (request) => routerOf(request)?.dropLate(request),
  });
  addSessionHooks(hooks, {
    stateOf: (session) => routers.get(session)?.state,
    seatOf: (message, role) => routerOf(message)?.seatOf(role),
  });
  /** Everybody may be asked differently now. */
  function sharedChanged(): void {
    routes.clear();
    for (const { forgetRoutes } of routers.values()) forgetRoutes();
  }

  return {
    open(session, scope) {
      const key = scope?.run ?? session;
      const known = routers.get(key);
      if (known !== undefined) return known.router;
      const ports = {
        clock,
        beatMs,
        ids,
        record: scope?.record ?? record,
        log,
        classifyByModel,
        requests,
        bus,
        counters,
        undelivered,
        routes,
        hooks,
      };
      const onClosed = (): void => {
        routers.delete(key);
        if (scope === undefined) tails.drop(session);
      };
      const inside = createSessionRouter(session, scope?.run, { ...ports, shared, onClosed });
      routers.set(key, inside);
      return inside.router;
    },
    get: (scope) => routers.get(scope)?.router,
    close: (scope) => routers.get(scope)?.router.close(),
    closeAll() {
      for (const { router } of routers.values()) router.close();
      shared.clear();
    },
    registerShared(card, handler) {
      shared.take(card, handler);
      sharedChanged();
    },
    unregisterShared(role) {
      const left = shared.leave(role);
      if (left) sharedChanged();
      return left;
    },
    shared: () => shared.list().map(({ card }) => card),
    active: async (client) => focus?.focusOf(client),
    addHook: (point, hook) => hooks.add(point, hook),
    watch: (pattern, handler, filter = {}) => bus.subscribe(pattern, handler, { accepts: messageFilter(filter) }),
    messages: tails.of,
    metrics: () => ({ sessions: routers.size, globalRoutes: routes.size, counts: counters.read() }),
    undelivered: (session) =>
      undelivered.list().filter(({ message }) => session === undefined || message.session === session),
  };
}
