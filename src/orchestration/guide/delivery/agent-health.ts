/**
 * Whether an agent lives, by its heartbeats, and how long its answers take.
 *
 *   every 10 s a beat -> 3 missed: unhealthy -> 6 missed: dead, and nothing is given to it
 *
 * An answer is a beat too. An agent that never promised to beat is alive as long as it is registered.
 */
import type { Clock } from "../../../platform/clock/index.ts";

export type HealthState = "healthy" | "unhealthy" | "dead";

export interface AgentHealth {
  beat(): void;
  answered(ms: number): void;
  readonly state: HealthState;
  /** Of the last hundred answers; undefined before the first. */
  latency(percent: number): number | undefined;
}

const heartbeat = { everyMs: 10_000, unhealthyAfter: 3, deadAfter: 6 } as const;
const mostSamples = 100;

export function createAgentHealth(clock: Clock, beats: boolean): AgentHealth {
  let lastBeat = clock.monotonic();
  const samples: number[] = [];
  let next = 0;
  const beat = (): void => void (lastBeat = clock.monotonic());
  return {
    beat,
    answered(ms) {
      beat();
      samples[next] = ms;
      next = (next + 1) % mostSamples;
    },
    get state() {
      const missed = beats ? Math.floor((clock.monotonic() - lastBeat) / heartbeat.everyMs) : 0;
      if (missed >= heartbeat.deadAfter) return "dead";
      return missed >= heartbeat.unhealthyAfter ? "unhealthy" : "healthy";
    },
    latency(percent) {
      const sorted = samples.toSorted((a, b) => a - b);
      return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
    },
  };
}
