/**
 * Requests of one session that wait for their answer, by correlation id.
 *
 *   add -> settle (an answer) | drop (a failure) | its time passes
 *
 * Bounded: so many wait for one agent at the most. An answer to a request that is not here is dropped.
 */
import { DomainError, type Message, type MessageId, type RoleName } from "../../../contract/index.ts";
import type { Clock } from "../../../platform/clock/index.ts";

export interface PendingRequests<Answer> {
  add(request: Message, onAnswer?: (answer: Answer) => void): void;
  find(correlation: MessageId): Message | undefined;
  /** Hands an answer to its waiting request; false when there is none. */
  settle(correlation: MessageId, answer: Answer): boolean;
  drop(correlation: MessageId): boolean;
  waitingFor(agent: RoleName): number;
  list(): readonly Message[];
  clear(): void;
  readonly size: number;
}

type Entry<Answer> = {
  readonly request: Message;
  readonly onAnswer: ((answer: Answer) => void) | undefined;
  readonly until: number;
};

const minuteMs = 60_000;
const pendingLimits = { keepMs: 5 * minuteMs, perAgent: 1_000 } as const;

export function createPendingRequests<Answer>({
  clock,
  perAgent = pendingLimits.perAgent,
}: {
  readonly clock: Clock;
  readonly perAgent?: number;
}): PendingRequests<Answer> {
  const entries = new Map<MessageId, Entry<Answer>>();
  const counts = new Map<RoleName, number>();

  function remove(correlation: MessageId): Entry<Answer> | undefined {
    const entry = entries.get(correlation);
    if (entry === undefined) return undefined;
    entries.delete(correlation);
    counts.set(entry.request.to, (counts.get(entry.request.to) ?? 1) - 1);
    return entry;
  }
  function live(correlation: MessageId): Entry<Answer> | undefined {
    const entry = entries.get(correlation);
    if (entry === undefined || entry.until > clock.monotonic()) return entry;
    remove(correlation);
    return undefined;
  }
  function expire(): void {
    for (const correlation of entries.keys()) live(correlation);
  }

  return {
    add(request, onAnswer) {
      if ((counts.get(request.to) ?? 0) >= perAgent) expire();
      const used = counts.get(request.to) ?? 0;
      if (used >= perAgent)
        throw new DomainError("role.busy", `${used} requests wait for ${request.to} already; ask again later`, {
          details: { role: request.to, limit: perAgent, used },
        });
      // By the time of the request itself: one of a snapshot has waited before.
      const leftMs = (request.deadlineAt ?? request.at + pendingLimits.keepMs) - clock.now();
      entries.set(request.correlationId, { request, onAnswer, until: clock.monotonic() + leftMs });
      counts.set(request.to, used + 1);
    },
    find: (correlation) => live(correlation)?.request,
    settle(correlation, answer) {
      if (live(correlation) === undefined) return false;
      remove(correlation)?.onAnswer?.(answer);
      return true;
    },
    drop: (correlation) => remove(correlation) !== undefined,
    waitingFor: (agent) => counts.get(agent) ?? 0,
    list() {
      expire();
      return [...entries.values()].map(({ request }) => request);
    },
    clear() {
      entries.clear();
      counts.clear();
    },
    get size() {
      return entries.size;
    },
  };
}
