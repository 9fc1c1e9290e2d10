/**
 * The delay before a retry. Half of each back-off is fixed and half is random: the delays of one node never shrink, and
 * nodes that failed together do not retry together. If a server names a time, the retry is never earlier.
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

/** The rest of a delay that an earlier process recorded. A wall clock that was set back must not make it longer. */
export function restoredDelay(retryAt: number, error: NodeError | undefined, wallNow: number): number {
  const longest = longestBackoffMs + (error ? askedDelay(error) : 0);
  return Math.min(longest, Math.max(0, Math.ceil(retryAt - wallNow)));
}

/** The number comes from a server's header, so it is not trusted. */
function askedDelay({ retryAfterMs = 0 }: NodeError): number {
  return Number.isFinite(retryAfterMs) ? Math.max(0, retryAfterMs) : 0;
}
