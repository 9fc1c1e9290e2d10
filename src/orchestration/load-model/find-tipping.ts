/** Finds the load at which the system tips: a pure reading of the measurements. */
import type { Measurement, Tipping } from "../../contract/index.ts";

/** Another agent that adds less than this of what the first ones did is not worth its place. */
const worthwhile = 0.5;
/** An agent that waits longer than this share of its time would do better in a project of its own. */
const bearable = 1 / 3;
/** Up to here waiting in the second half of the time counts as like that in the first. */
const driftShare = 0.1;

export function findTipping(measurements: readonly Measurement[]): Tipping {
  const rows = measurements.toSorted((one, other) => one.agents - other.agents);
  const first = rows[0];
  if (first === undefined) return { steadyUpTo: undefined, tipsAt: undefined, sentence: "Nothing was measured." };
  const alone = first.commitsPerHour / first.agents;
  const at = rows.findIndex((row, index) => index > 0 && isTooMuch(rows[index - 1]!, row, alone));
  const steadyUpTo = rows.findLast(isSteady)?.agents;
  const tipsAt = rows[at]?.agents;
  return { steadyUpTo, tipsAt, sentence: `${tell(rows, at, alone)} ${tellSteady(rows, steadyUpTo)}` };
}

function isTooMuch(before: Measurement, row: Measurement, alone: number): boolean {
  return row.blockedShare > bearable || added(before, row) < worthwhile * alone;
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
    return `It does not tip up to ${last.agents} agents: each added one brings at least half of what one alone does (${figure(alone)} commits an hour), and less than a third of all time is spent waiting.`;
  const { agents, blockedShare } = rows[at]!;
  const before = rows[at - 1]!;
  return `It tips between ${before.agents} and ${agents} agents: there ${Math.round(100 * blockedShare)} % of all time is spent waiting, and each added agent brings ${figure(added(before, rows[at]!))} commits an hour where one alone brings ${figure(alone)}.`;
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
