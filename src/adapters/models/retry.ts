/**
 * Asks again when that may help: rate limits, overload, broken connections.
 *
 *   attempt fails -> kind worth a retry? attempts left? wait short enough? -> wait on the clock -> next attempt
 *
 * One attempt is one answer of the model; tools run only after a complete answer, so that no retry runs a tool twice.
 */
import { ModelFailure, type ModelFailureKind } from "../../orchestration/models/index.ts";
import { type Clock, pause } from "../../platform/clock/index.ts";

export type RetryPolicy = {
  /** How often the model is asked for one answer, the first time included. */
  readonly attempts: number;
  readonly firstWaitMs: number;
  /** A provider that wants a longer pause than this fails at once; the caller knows better what to do meanwhile. */
  readonly longestWaitMs: number;
  /** From 0 to below 1; spreads the retries of many agents that failed together. */
  readonly random: () => number;
};

export type RetryNotice = {
  readonly failure: ModelFailure;
  /** The attempt that failed, counted from 1. */
  readonly attempt: number;
  readonly attempts: number;
  readonly waitMs: number;
};

export const defaultRetryPolicy: RetryPolicy = {
  attempts: 5,
  firstWaitMs: 1_000,
  longestWaitMs: 60_000,
  random: Math.random, // clock-exempt: jitter that need not repeat; tests pass their own
};

const worthRetrying: ReadonlySet<ModelFailureKind> = new Set(["transient", "rate-limit", "provider-degraded"]);

type Ports = {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
};

/** `attempt` rejects with ModelFailure only. */
export async function withRetry<T>(
  attempt: () => Promise<T>,
  policy: RetryPolicy,
  { clock, signal, onRetry }: Ports,
): Promise<T> {
  for (let failed = 1; ; failed++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ModelFailure) || !worthRetrying.has(error.kind) || failed >= policy.attempts) throw error;
      const waitMs = pauseAfter(error, failed, policy);
      if (waitMs > policy.longestWaitMs) throw error;
      const waited = pause(waitMs, clock, signal, { keepAlive: true }); // an abort is found by the next attempt, which names it
      onRetry?.({ failure: error, attempt: failed, attempts: policy.attempts, waitMs });
      await waited;
    }
  }
}

/** Never earlier than the provider asked for; without its word the pause doubles, half of it by chance. */
function pauseAfter(
  { retryAfterMs }: ModelFailure,
  failed: number,
  { firstWaitMs, longestWaitMs, random }: RetryPolicy,
): number {
  if (retryAfterMs !== undefined) return Math.ceil(retryAfterMs + random() * Math.min(1_000, retryAfterMs / 10));
  const ceiling = Math.min(firstWaitMs * 2 ** (failed - 1), longestWaitMs);
  return Math.ceil(ceiling / 2 + (random() * ceiling) / 2);
}

const connections: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  ENOTFOUND: "unknown host",
  EAI_AGAIN: "unknown host",
  EHOSTUNREACH: "host unreachable",
  ENETUNREACH: "network unreachable",
  ETIMEDOUT: "timed out",
};

/** Short enough for a line beside the pause. */
export function reasonOf({ kind, message, cause }: ModelFailure): string {
  const { code = "", status } = (cause ?? {}) as { readonly code?: string; readonly status?: number };
  if (kind === "rate-limit") return "rate limit";
  if (kind === "provider-degraded") return "provider overloaded";
  return connections[code] ?? (status === undefined ? message.slice(0, 200) : `HTTP ${status}`);
}
