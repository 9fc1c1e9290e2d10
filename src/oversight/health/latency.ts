/** How long calls take, in a few numbers that can be added up: buckets of powers of two, for an estimate of the p95. */
export type Latency = {
  readonly count: number;
  readonly sumMs: number;
  readonly maxMs: number;
  /** Calls that took at most 2^index milliseconds, and more than the bucket before. */
  readonly buckets: readonly number[];
};

const bucketCount = 28; // 2^27 ms are 37 hours

export const noLatency: Latency = { count: 0, sumMs: 0, maxMs: 0, buckets: [] };

export function measured(latency: Latency, ms: number): Latency {
  const index = Math.min(bucketCount - 1, ms <= 1 ? 0 : Math.ceil(Math.log2(ms)));
  const buckets = [...latency.buckets];
  while (buckets.length <= index) buckets.push(0);
  buckets[index]! += 1;
  return { count: latency.count + 1, sumMs: latency.sumMs + ms, maxMs: Math.max(latency.maxMs, ms), buckets };
}

export function added(one: Latency, other: Latency): Latency {
  const length = Math.max(one.buckets.length, other.buckets.length);
  return {
    count: one.count + other.count,
    sumMs: one.sumMs + other.sumMs,
    maxMs: Math.max(one.maxMs, other.maxMs),
    buckets: Array.from({ length }, (_, index) => (one.buckets[index] ?? 0) + (other.buckets[index] ?? 0)),
  };
}

/** Never less than the true p95, and less than twice as much. */
export function p95({ count, maxMs, buckets }: Latency): number {
  const wanted = Math.ceil(count * 0.95);
  let seen = 0;
  for (const [index, calls] of buckets.entries()) {
    seen += calls;
    if (seen >= wanted) return Math.min(2 ** index, maxMs);
  }
  return maxMs;
}
