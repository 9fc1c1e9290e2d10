/**
 * When the line is drawn anew, and how much it says. Pure: time and events come in, decisions come out.
 *
 *   names    who holds which file; in live mode also the last changes
 *   summary  "5 agents, 12 files": a busy project would change faster than a person reads
 *
 * Invariants: two redraws are at least two seconds apart; between the two thresholds the form stays what it was.
 */
export type StatuslineMode = "auto" | "live" | "digest";
export type Form = "names" | "summary";

export const redrawEveryMs = 2_000;
/** Events a minute. */
const busyAbove = 10;
const calmBelow = 5;

export function mayRedraw(lastAt: number | undefined, now: number): boolean {
  return lastAt === undefined || now - lastAt >= redrawEveryMs;
}

export function nextForm(before: Form, eventsPerMinute: number, mode: StatuslineMode): Form {
  if (mode !== "auto") return mode === "live" ? "names" : "summary";
  if (eventsPerMinute > busyAbove) return "summary";
  return eventsPerMinute < calmBelow ? "names" : before;
}
