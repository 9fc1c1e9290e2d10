/**
 * How many jobs may run at once, from how loaded the machine is: up by one while there is room and work, down by a quarter
 * as soon as there is too much. Slow up and fast down finds the edge without swinging around it.
 */
export type AdaptiveTerms = {
  readonly min: number;
  readonly max: number;
  /** Load below which the limit may rise, and above which it falls; both in the unit of the measurement. */
  readonly calmBelow: number;
  readonly strainedAbove: number;
};

export function adaptLimit(limit: number, load: number, isWanted: boolean, terms: AdaptiveTerms): number {
  const { min, max, calmBelow, strainedAbove } = terms;
  if (load > strainedAbove) return Math.max(min, Math.floor(limit * 0.75));
  if (load < calmBelow && isWanted) return Math.min(max, limit + 1);
  return Math.min(max, Math.max(min, limit));
}
