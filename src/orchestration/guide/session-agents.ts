/** The agents that answer in one session: its own, then the shared ones. */
import type { RoleName } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { defined } from "../../platform/defined.ts";
import type { AgentSeats, Seat } from "./delivery/agent-seats.ts";
import { type CircuitBreaker, createCircuitBreaker } from "./delivery/circuit-breaker.ts";
import type { PendingRequests } from "./delivery/pending-requests.ts";
import type { AgentState } from "./router-port.ts";
import { type AgentCard, fingerprintOf } from "./routing/agent-card.ts";

export interface SessionAgents {
  cards(): readonly AgentCard[];
  /** Those whom a person's words may go to. */
  open(): readonly AgentCard[];
  /** Equal for sessions with the same agents. */
  fingerprint(): string;
  seatOf(role: RoleName): Seat | undefined;
  isOwn(role: RoleName): boolean;
  /** An agent came or left. */
  changed(): void;
  states(pending: Pick<PendingRequests<unknown>, "waitingFor">): readonly AgentState[];
}

type Known = {
  readonly cards: readonly AgentCard[];
  readonly open: readonly AgentCard[];
  readonly fingerprint: string;
};

export function createSessionAgents(own: AgentSeats, shared: AgentSeats, clock: Clock): SessionAgents {
  const circuits = new Map<RoleName, CircuitBreaker>();
  let known: Known | undefined;

  function read(): Known {
    if (known !== undefined) return known;
    const others = shared.list().filter(({ card }) => own.find(card.name) === undefined);
    const cards = [...own.list(), ...others].map(({ card }) => card);
    const open = cards.filter(({ constraints }) => constraints?.internal !== true);
    known = { cards, open, fingerprint: fingerprintOf(cards) };
    return known;
  }
  /** A shared agent that fails here may do well elsewhere: its circuit is each session's own. */
  function sharedSeat(role: RoleName): Seat | undefined {
    const seat = shared.find(role);
    if (seat === undefined) return undefined;
    const breaker = circuits.get(role) ?? createCircuitBreaker(clock);
    circuits.set(role, breaker);
    return { ...seat, breaker };
  }
  const seatOf = (role: RoleName): Seat | undefined => own.find(role) ?? sharedSeat(role);
  const isOwn = (role: RoleName): boolean => own.find(role) !== undefined;

  return {
    cards: () => read().cards,
    open: () => read().open,
    fingerprint: () => read().fingerprint,
    seatOf,
    isOwn,
    changed() {
      known = undefined;
      circuits.clear();
    },
    states: (pending) =>
      read().cards.map(({ name }) => {
        const { health, breaker } = seatOf(name)!;
        const [p50Ms, p99Ms] = [health.latency(50), health.latency(99)];
        return {
          name,
          shared: !isOwn(name),
          health: health.state,
          circuit: breaker.state,
          waiting: pending.waitingFor(name),
          ...defined({ p50Ms, p99Ms }),
        };
      }),
  };
}
