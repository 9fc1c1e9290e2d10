/**
 * How long things took, in buckets that double: 1 ms, 2 ms, 4 ms and so on up to more than a day.
 * Bounded memory however much is recorded; a quantile is exact to its bucket.
 */
const bucketCount = 28;

export type Histogram = {
  record(ms: number): void;
  readonly count: number;
  readonly sumMs: number;
  readonly maxMs: number;
  /** Upper edge of the bucket that holds it, or the greatest value seen if that is less; 0 if nothing was recorded. */
  quantile(share: number): number;
  /** Buckets that hold something, as upper edge and count. */
  buckets(): readonly { readonly upToMs: number; readonly count: number }[];
};

export function createHistogram(): Histogram {
  const counts = Array.from({ length: bucketCount }, () => 0);
  let count = 0;
  let sumMs = 0;
  let maxMs = 0;
  return {
    record(ms) {
      const value = Math.max(0, ms);
      counts[Math.min(bucketCount - 1, Math.ceil(Math.log2(Math.max(1, value))))]!++;
      count++;
      sumMs += value;
      maxMs = Math.max(maxMs, value);
    },
    get count() {
      return count;
    },
    get sumMs() {
      return sumMs;
    },
    get maxMs() {
      return maxMs;
    },
    quantile(share) {
      let left = Math.max(1, Math.ceil(share * count));
      for (const [power, held] of counts.entries()) {
        left -= held;
        if (left <= 0) return Math.min(2 ** power, maxMs);
      }
      return maxMs;
    },
    buckets: () =>
      counts.map((held, power) => ({ upToMs: 2 ** power, count: held })).filter((bucket) => bucket.count > 0),
  };
}
