/** The few numbers that describe many. */

export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** Nearest rank: always a value that was measured; the lower middle of an even number. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = Float64Array.from(values).sort();
  const rank = Math.max(1, Math.ceil((percent / 100) * sorted.length));
  const found = sorted[rank - 1];
  if (found === undefined) throw new Error("there is no percentile of nothing");
  return found;
}

export type LatencySummary = { readonly p50: number; readonly p99: number; readonly max: number };

export function summarize(latenciesMs: readonly number[]): LatencySummary {
  return { p50: percentile(latenciesMs, 50), p99: percentile(latenciesMs, 99), max: percentile(latenciesMs, 100) };
}

/** Round by round, because both sides of a round met the same load on this machine. */
export function ratios(numerators: readonly number[], denominators: readonly number[]): readonly number[] {
  return numerators.map((value, round) => value / denominators[round]!);
}
