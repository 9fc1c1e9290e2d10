/** The Guide's interface inside one session; `session-router.ts` makes it. */
import type {
  AnswerType,
  Message,
  MessageId,
  MessageOf,
  MessageType,
  PayloadOf,
  RoleName,
  SessionId,
} from "../../contract/index.ts";
import type { Seat } from "./delivery/agent-seats.ts";
import type { Counts } from "./delivery/guide-metrics.ts";
import type { Answer, RoleHandler } from "./role-handler.ts";
import type { AgentCard } from "./routing/agent-card.ts";
import type { RouteDecision } from "./routing/decide-route.ts";
import type { Candidate } from "./routing/score-agents.ts";
import type { SessionState } from "./session-state.ts";

export type AskTerms = {
  readonly parent?: Pick<Message, "id">;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** 0 to 100; 50 unless said. */
  readonly priority?: number;
  readonly metadata?: Message["metadata"];
};
export type RouteTerms = {
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** Whom the person says it is for, after having been asked. */
  readonly confirm?: RoleName | undefined;
  readonly priority?: number;
  readonly metadata?: Message["metadata"];
};
export type Routed = {
  readonly session: SessionId;
  readonly decision: RouteDecision;
  /** One, but for a broadcast. */
  readonly answers: readonly BroadcastAnswer<"USER_INPUT">[];
};

export type BroadcastAnswer<Type extends MessageType> = { readonly from: RoleName } & (
  | { readonly answer: MessageOf<AnswerType<Type>> }
  | { readonly error: Error }
);
export type AgentState = {
  readonly name: RoleName;
  readonly shared: boolean;
  readonly health: Seat["health"]["state"];
  readonly circuit: Seat["breaker"]["state"];
  readonly waiting: number;
  readonly p50Ms?: number | undefined;
  readonly p99Ms?: number | undefined;
};
export type RouterMetrics = {
  readonly counts: Counts;
  readonly pending: number;
  readonly cachedRoutes: number;
  readonly cacheHits: number;
  readonly agents: readonly AgentState[];
};

export type SessionRouter = {
  readonly session: SessionId;
  register(agent: RoleName | AgentCard, handler: RoleHandler): void;
  unregister(role: RoleName): boolean;
  /** Of this session, and the shared ones. */
  agents(): readonly AgentCard[];
  /** Takes the payload of that type and answers with a message of the types that answer it. */
  ask<Type extends MessageType>(
    from: RoleName,
    to: RoleName,
    type: Type,
    payload: PayloadOf<Type>,
    terms: AskTerms,
  ): Promise<MessageOf<AnswerType<Type>>>;
  /** To all agents in this session that may get it from there, or to those named. */
  broadcast<Type extends MessageType>(
    from: RoleName,
    type: Type,
    payload: PayloadOf<Type>,
    terms: AskTerms & { readonly to?: readonly RoleName[] },
  ): Promise<readonly BroadcastAnswer<Type>[]>;
  /** Whom it would go to and why; sends nothing, learns nothing. */
  explain(text: string): { readonly decision: RouteDecision; readonly candidates: readonly Candidate[] };
  route(text: string, terms: RouteTerms): Promise<Routed>;
  /** An answer by its correlation id; false, and dropped, when no request waits for it. */
  reply(correlation: MessageId, from: RoleName, answer: Answer): boolean;
  correct(text: string, to: RoleName): void;
  /** The worker of this agent lives; one that has said so and falls silent is given nothing more. */
  heartbeat(role: RoleName): void;
  pending(): readonly Message[];
  metrics(): RouterMetrics;
  state(): Readonly<SessionState>;
  serialize(): unknown;
  restore(saved: unknown): void;
  close(): void;
};
