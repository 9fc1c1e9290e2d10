/**
 * Liveness: when each agent was last heard of. Kept in memory, written at most every 10 s; not an event.
 *
 * Silence is measured on the monotonic clock from the later of the last call and the daemon's own start: time in which
 * the daemon was down never counts against an agent, and a wall-clock jump changes nothing.
 */
import type { AgentId, AgentStatus } from "../../contract/index.ts";
import type { Clock, Timer } from "../../platform/clock/index.ts";
import type { AgentRecord } from "./store.ts";

export type Liveness = {
  touch(agent: AgentId): void;
  forget(agent: AgentId): void;
  silenceMs(agent: AgentId): number;
  statusOf(record: AgentRecord): AgentStatus;
  lastSeenAt(record: AgentRecord): number;
  /** Writes what is not yet written; also runs by itself. */
  flush(): Promise<void>;
  stop(): void;
};

type Ports = {
  readonly clock: Clock;
  readonly idleAfterMs: number;
  readonly staleAfterMs: number;
  readonly write: (seen: ReadonlyMap<AgentId, number>) => Promise<void>;
  readonly onWriteFailed: (error: unknown) => void;
};

const writeEveryMs = 10_000;

export function createLiveness({ clock, idleAfterMs, staleAfterMs, write, onWriteFailed }: Ports): Liveness {
  const startedAt = clock.monotonic();
  const seen = new Map<AgentId, { readonly monotonic: number; readonly wall: number }>();
  let unwritten = new Map<AgentId, number>();
  let timer: Timer | undefined;

  async function flush(): Promise<void> {
    timer?.cancel();
    timer = undefined;
    const batch = unwritten;
    unwritten = new Map();
    if (batch.size > 0) await write(batch);
  }
  const silenceMs = (agent: AgentId): number => clock.monotonic() - (seen.get(agent)?.monotonic ?? startedAt);

  return {
    touch(agent) {
      const wall = clock.now();
      seen.set(agent, { monotonic: clock.monotonic(), wall });
      unwritten.set(agent, wall);
      timer ??= clock.after(writeEveryMs, () => void flush().catch(onWriteFailed));
    },
    forget(agent) {
      seen.delete(agent);
      unwritten.delete(agent);
    },
    silenceMs,
    statusOf(record) {
      if (record.endedAt !== undefined) return "ended";
      if (record.offlineAt !== undefined) return "offline";
      const silence = silenceMs(record.id);
      if (silence >= staleAfterMs) return "offline";
      return silence >= idleAfterMs ? "idle" : "active";
    },
    lastSeenAt: (record) => Math.max(record.lastSeenAt, seen.get(record.id)?.wall ?? 0),
    flush,
    stop: () => timer?.cancel(),
  };
}
