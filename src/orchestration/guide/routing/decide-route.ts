/**
 * Whom a text is for.
 *
 *   tag -> session's own routes -> routes of all sessions -> rules and scores -> (a model, if there is one and it is needed)
 *
 * Deciding sends nothing and learns nothing; the router learns from what was carried out.
 * Invariant: tagged input never comes from a cache and never enters one.
 */
import { invalidInput, messageOf, type RoleName, type SessionId } from "../../../contract/index.ts";
import type { Clock } from "../../../platform/clock/index.ts";
import { parseRoute, type Route } from "../parse-route.ts";
import type { AgentCard } from "./agent-card.ts";
import type { Classified, ClassifyByModel, ClassifyTerms } from "./classify-by-model.ts";
import { classifyText } from "./classify-text.ts";
import type { Corrections } from "./corrections.ts";
import type { GlobalRoutes } from "./global-routes.ts";
import { type CachedRoute, type RouteCache, routeKey } from "./route-cache.ts";
import { type Band, bandOf, type Candidate, confidenceOf, scoreAgents } from "./score-agents.ts";
import { defined } from "../../../platform/defined.ts";

export type RoutedBy = "tag" | "session-cache" | "global-cache" | "rules" | "model";

export type RouteDecision = {
  readonly session: SessionId;
  readonly by: RoutedBy;
  /** Several for a broadcast; none when no agent fits. */
  readonly to: readonly RoleName[];
  readonly kind: "to" | "reply" | "broadcast";
  /** Without its tag. */
  readonly text: string;
  readonly intent: string;
  readonly domain: string;
  readonly confidence: number;
  readonly band: Band;
  /** Best first; empty when a tag or a cache decided. */
  readonly candidates: readonly Candidate[];
  readonly params?: Readonly<Record<string, string>>;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly model?: { readonly name: string; readonly ms: number };
  /** Why no model could say it, though one was asked. */
  readonly unclassified?: string;
};

export type DecidePorts = {
  readonly session: SessionId;
  /** Those whom a person's words may go to. */
  readonly open: readonly AgentCard[];
  readonly fingerprint: string;
  readonly own: RouteCache;
  readonly shared: GlobalRoutes;
  readonly corrections: Corrections;
  readonly clock: Clock;
  /** Asked only where the rules are not sure enough to act. Its time is reported apart from our own. */
  readonly classifyByModel?: ClassifyByModel | undefined;
  readonly counters: { count(what: "classifier.asked" | "classifier.failed"): void };
};

const correctedConfidence = 0.95;

/** Everything but the model: never waits. */
export function decideByCode(input: string, ports: DecidePorts): RouteDecision {
  const shortcuts = ports.open.flatMap(({ name, shortcuts: actions = [] }) =>
    actions.map((action) => ({ action, agent: name })),
  );
  const route = parseRoute(input, { agents: ports.open, shortcuts });
  if (isUntagged(route)) return byCache(route.text, ports) ?? byRules(route.text, ports);
  return byTag(route, ports);
}

/** Whether a model, if there is one, would be asked too. */
export function isUnsure({ by, band }: Pick<RouteDecision, "by" | "band">): boolean {
  return by === "rules" && (band === "confirm" || band === "reject");
}

export async function decideRoute(
  input: string,
  ports: DecidePorts,
  terms: Omit<ClassifyTerms, "session">,
): Promise<RouteDecision> {
  const decision = decideByCode(input, ports);
  const { classifyByModel, clock, counters, session } = ports;
  if (classifyByModel === undefined || !isUnsure(decision)) return decision;
  const startedAt = clock.monotonic();
  // A model's word counts only for an agent that could have been chosen.
  const barred = new Set(decision.candidates.flatMap(({ name, barred: why }) => (why === undefined ? [] : [name])));
  const agents = ports.open.filter(({ name }) => !barred.has(name));
  counters.count("classifier.asked");
  let said: Classified | undefined;
  try {
    said = await classifyByModel(decision.text, agents, { ...terms, session });
  } catch (error) {
    terms.signal.throwIfAborted();
    counters.count("classifier.failed");
    return { ...decision, unclassified: messageOf(error) };
  }
  if (said === undefined || !agents.some(({ name }) => name === said.to)) return decision;
  const confidence = Math.min(1, Math.max(0, said.confidence));
  return {
    ...decision,
    by: "model",
    to: [said.to],
    confidence,
    band: bandOf(confidence, leastOf(said.to, ports.open)),
    model: { name: said.name, ms: clock.monotonic() - startedAt },
  };
}

type Untagged = Extract<Route, { readonly kind: "plain" | "classify" }>;

function isUntagged(route: Route): route is Untagged {
  return route.kind === "plain" || route.kind === "classify";
}

function byTag(route: Exclude<Route, Untagged>, { session, open }: DecidePorts): RouteDecision {
  const to = (route.kind === "broadcast" ? route.agents : [route.agent]) as readonly RoleName[];
  for (const name of to) refuseUnknown(name, open);
  const text = route.text ?? "";
  const classified = classifyText(text);
  const query = route.kind === "query" ? route : undefined;
  return {
    session,
    by: "tag",
    to,
    kind: route.kind === "from" ? "reply" : route.kind === "broadcast" ? "broadcast" : "to",
    text,
    intent: query?.intent ?? classified.intent,
    domain: query?.domain ?? classified.domains[0] ?? "unknown",
    confidence: 1,
    band: "execute",
    candidates: [],
    ...defined({ params: query?.params }),
    ...(query?.payload === undefined ? {} : { data: query.payload }),
  };
}

/** A tag of the grammar may name a role that no agent has here. */
function refuseUnknown(name: RoleName, open: readonly AgentCard[]): void {
  if (open.some((card) => card.name === name)) return;
  const known = open.map((card) => card.name).join(", ") || "none";
  const message = `there is no ${name} here; known: ${known}`;
  throw invalidInput("request", message, { details: { known: open.map((card) => card.name) } });
}

function byCache(
  text: string,
  { session, fingerprint, own, shared, open, corrections }: DecidePorts,
): RouteDecision | undefined {
  const key = routeKey(text);
  const mine = own.get(key);
  // What this session was told otherwise counts more than what others do.
  const others = (): CachedRoute | undefined => (corrections.concern(text) ? undefined : shared.get(fingerprint, key));
  const route = mine ?? others();
  if (route === undefined) return undefined;
  return {
    ...route,
    session,
    by: mine === undefined ? "global-cache" : "session-cache",
    to: [route.to],
    kind: "to",
    text,
    band: bandOf(route.confidence, leastOf(route.to, open)),
    candidates: [],
  };
}

function byRules(text: string, { session, corrections, open }: DecidePorts): RouteDecision {
  const classified = classifyText(text);
  const candidates = scoreAgents(text, classified, open, corrections.alike(classified.words));
  const corrected = corrections.exact(text);
  const isKnown = corrected !== undefined && open.some(({ name }) => name === corrected);
  const confidence = isKnown ? correctedConfidence : confidenceOf(candidates);
  const best = isKnown ? corrected : candidates[0]?.name;
  const band = bandOf(confidence, best === undefined ? 0 : leastOf(best, open));
  return {
    session,
    by: "rules",
    to: best === undefined || confidence === 0 ? [] : [best],
    kind: "to",
    text,
    intent: classified.intent,
    domain: classified.domains[0] ?? "unknown",
    confidence,
    band,
    candidates,
  };
}

function leastOf(name: RoleName, cards: readonly AgentCard[]): number {
  return cards.find((card) => card.name === name)?.constraints?.minConfidence ?? 0;
}
