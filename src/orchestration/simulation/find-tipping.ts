/** Where the system tips: a pure reading of the measurements. */
import type { Measurement, Tipping } from "../../contract/index.ts";

/** Another agent that adds less than this of what the first ones did is not worth its place. */
const worthwhile = 0.5;
/** Up to here waiting in the second half of the time counts as like that in the first. */
const driftShare = 0.05;

export function findTipping(measurements: readonly Measurement[]): Tipping {
  const rows = measurements.toSorted((one, other) => one.agents - other.agents);
  const first = rows[0];
  if (first === undefined) return { steadyUpTo: undefined, tipsAt: undefined, sentence: "Nothing was measured." };
  const alone = first.commitsPerHour / first.agents;
  const at = rows.findIndex((row, index) => index > 0 && added(rows[index - 1]!, row) < worthwhile * alone);
  const unsteady = rows.findIndex((row) => !isSteady(row));
  const steadyUpTo = (unsteady === -1 ? rows.at(-1) : rows[unsteady - 1])?.agents;
  const tipsAt = rows[at]?.agents;
  return { steadyUpTo, tipsAt, sentence: `${tell(rows, at, alone)} ${tellSteady(rows, steadyUpTo)}` };
}

function added(before: Measurement, row: Measurement): number {
  return (row.commitsPerHour - before.commitsPerHour) / (row.agents - before.agents);
}

/** Waiting does not grow from the first half to the second, and work does not pile up: at most one item each is left over. */
function isSteady({ agents, blockedShareHalves: [first, second], itemsOpen }: Measurement): boolean {
  return second - first <= driftShare && itemsOpen <= agents;
}

function tell(rows: readonly Measurement[], at: number, alone: number): string {
  const last = rows.at(-1)!;
  if (rows.length === 1) return `Only ${last.agents} agents were measured: where it tips needs a second count.`;
  if (at === -1)
    return `It does not tip up to ${last.agents} agents: each added one still brings at least half of what one alone does, ${figure(alone)} commits an hour.`;
  const { agents, blockedShare, commitsPerHour } = rows[at]!;
  const before = rows[at - 1]!;
  return `It tips between ${before.agents} and ${agents} agents: there each added one brings ${figure(added(before, rows[at]!))} commits an hour instead of ${figure(alone)} (${figure(commitsPerHour)} in all), and ${Math.round(100 * blockedShare)} % of all time is spent waiting.`;
}

function tellSteady(rows: readonly Measurement[], steadyUpTo: number | undefined): string {
  if (steadyUpTo === rows.at(-1)!.agents)
    return "Every count is in a steady state: waiting does not grow and no work piles up.";
  return steadyUpTo === undefined
    ? "No count is in a steady state: waiting grows or work piles up."
    : `A steady state holds up to ${steadyUpTo} agents; beyond that waiting grows or work piles up.`;
}

function figure(value: number): string {
  return String(Math.round(value * 10) / 10);
}
