/**
 * Whether an agent lives, and how long its answers take.
 *
 *   at work: every 10 s a beat of its worker -> 3 missed: unhealthy -> 6 missed: dead, and nothing more is given to it
 *
 * Only a worker that has beaten can fall silent. An agent that answers inside this very process lives as long as it is
 * registered, and who is not at work has nothing to be heard of.
 */
import type { Clock } from "../../../platform/clock/index.ts";
import { missedBeats } from "../../../platform/heartbeat.ts";

export type HealthState = "healthy" | "unhealthy" | "dead";

export interface AgentHealth {
  /** It was given something to do; ends by one of the two below. */
  began(): void;
  answered(ms: number): void;
  failed(): void;
  beat(): void;
  readonly state: HealthState;
  /** Of the last hundred answers; undefined before the first. */
  latency(percent: number): number | undefined;
}

const mostSamples = 100;

export function createAgentHealth(clock: Clock, beatMs: number): AgentHealth {
  let atWork = 0;
  let lastBeat: number | undefined;
  const samples: number[] = [];
  let next = 0;
  function ended(): void {
    atWork--;
    if (atWork === 0) lastBeat = undefined;
  }
  return {
    began: () => void atWork++,
    beat() {
      if (atWork > 0) lastBeat = clock.monotonic();
    },
    answered(ms) {
      ended();
      samples[next] = ms;
      next = (next + 1) % mostSamples;
    },
    failed: ended,
    get state() {
      const missed = lastBeat === undefined ? 0 : Math.floor((clock.monotonic() - lastBeat) / beatMs);
      if (missed >= missedBeats.dead) return "dead";
      return missed >= missedBeats.unhealthy ? "unhealthy" : "healthy";
    },
    latency(percent) {
      const sorted = samples.toSorted((a, b) => a - b);
      return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
    },
  };
}
