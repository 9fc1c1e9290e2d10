/** The pool's figures as they are told: lists instead of maps, the busiest sessions first. */
import type { PoolFigures } from "../../contract/index.ts";
import { lanes, type PoolMetrics } from "../../platform/pool/index.ts";

export function poolFigures({ groups, lanes: byLane, run, ...totals }: PoolMetrics): PoolFigures {
  const sessions = Object.entries(groups).map(([session, figures]) => ({ session, ...figures }));
  return {
    ...totals,
    lanes: lanes.map((lane) => ({ lane, ...byLane[lane] })),
    sessions: sessions.sort(
      (a, b) => b.running + b.waiting - a.running - a.waiting || (a.session < b.session ? -1 : 1),
    ),
    run: { ...run, buckets: [...run.buckets] },
  };
}
