/** The lanes of the pool, most urgent first. A job waits in one and climbs one per ageing interval. */
export const lanes = ["critical", "high", "normal", "low", "background"] as const;
export type Lane = (typeof lanes)[number];

/** 0 is the most urgent. */
export const rankOf = (lane: Lane): number => lanes.indexOf(lane);

export function rankAfter(rank: number, waitedMs: number, ageingMs: number): number {
  return Math.max(0, rank - Math.floor(waitedMs / ageingMs));
}
