/**
 * How long a failed node waits. Half of each back-off is fixed and half is chance: the waits of one node never shrink,
 * and nodes that failed together do not come back together. A server that names a time is never asked earlier.
 */
import type { ErrorClass, NodeError, RetryPolicy } from "./dag.ts";

export const longestBackoffMs = 30_000;

const retryable: Readonly<Record<ErrorClass, boolean>> = {
  transient: true,
  "rate-limit": true,
  "provider-degraded": true,
  timeout: true,
  permanent: false,
  "user-fixable": false,
};

export function isRetryable(error: NodeError): boolean {
  return retryable[error.class];
}

/** `retry` counts from 1. */
export function retryDelay(retry: number, { backoffMs }: RetryPolicy, error: NodeError, random: () => number): number {
  const half = Math.min(longestBackoffMs, backoffMs * 2 ** (retry - 1)) / 2;
  return Math.round(Math.max(half, askedDelay(error)) + half * random());
}

/** What is left of a wait that was recorded by an earlier life. A wall clock set back must not make it longer. */
export function restoredDelay(retryAt: number, error: NodeError | undefined, wallNow: number): number {
  const longest = longestBackoffMs + (error ? askedDelay(error) : 0);
  return Math.min(longest, Math.max(0, Math.ceil(retryAt - wallNow)));
}

/** The number comes from a header of somebody's server. */
function askedDelay({ retryAfterMs = 0 }: NodeError): number {
  return Number.isFinite(retryAfterMs) ? Math.max(0, retryAfterMs) : 0;
}
