/**
 * The seats of agents: which agent answers as which role, in one session or for all of them.
 *
 *   seat(card, handler) -> listens on its topic -> breaker and health of its own -> leave
 *
 * Invariant: a role has one seat in a session, so a request has one receiver.
 */
import type { MessageOf, RoleName } from "../../../contract/index.ts";
import type { AskBus } from "../../../platform/bus/index.ts";
import type { Clock } from "../../../platform/clock/index.ts";
import { Undeliverable } from "../check-message.ts";
import type { Answer, RoleHandler } from "../role-handler.ts";
import type { AgentCard } from "../routing/agent-card.ts";
import { type AgentHealth, createAgentHealth } from "./agent-health.ts";
import { type CircuitBreaker, createCircuitBreaker } from "./circuit-breaker.ts";

export type Seat = {
  readonly card: AgentCard;
  readonly topic: string;
  readonly breaker: CircuitBreaker;
  readonly health: AgentHealth;
};

export interface AgentSeats {
  take(card: AgentCard, handler: RoleHandler): void;
  leave(role: RoleName): boolean;
  find(role: RoleName): Seat | undefined;
  list(): readonly Seat[];
  clear(): void;
}

type Terms = {
  readonly clock: Clock;
  readonly beatMs: number;
  readonly requests: AskBus<MessageOf, Answer>;
  readonly topicOf: (role: RoleName) => string;
  /** Told of each answer; it drops an answer that came too late. */
  readonly onAnswer: (request: MessageOf) => void;
};

export function createAgentSeats({ clock, beatMs, requests, topicOf, onAnswer }: Terms): AgentSeats {
  const seats = new Map<RoleName, Seat & { readonly stop: () => void }>();
  function leave(role: RoleName): boolean {
    seats.get(role)?.stop();
    return seats.delete(role);
  }
  return {
    take(card, handler) {
      if (seats.has(card.name))
        throw new Undeliverable(`${card.name} is already registered; a request has one receiver`);
      const topic = topicOf(card.name);
      const stop = requests.respond(topic, async (request, signal) => {
        const answer = await handler(request, signal);
        onAnswer(request);
        return answer;
      });
      const health = createAgentHealth(clock, beatMs);
      seats.set(card.name, { card, topic, breaker: createCircuitBreaker(clock), health, stop });
    },
    leave,
    find: (role) => seats.get(role),
    list: () => [...seats.values()],
    clear() {
      for (const role of seats.keys()) leave(role);
    },
  };
}
