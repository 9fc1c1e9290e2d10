/**
 * Decides about claims that do not move: a pure decision over a snapshot.
 *
 *   owner's process gone          -> the claim returns at once; no disruption, it counts for nothing
 *   idle too long                 -> the owner is asked
 *   asked, and still idle in time -> released, the longest idle first, within the disruption budget
 *   asked, and moving again       -> the question is taken back
 *   asked for a handoff, time up  -> handed over when the owner is stalled or stuck, else the request ends
 *
 * The budget: at most so many releases in one look, and never from the only agent that works in its project.
 */
import type { WorkItemRecord } from "../work-items/index.ts";

export type ClaimState = {
  readonly record: WorkItemRecord;
  /** Since the last edit, commit or report. */
  readonly idleMs: number;
  /** Of the owner's time to say whether it continues; meaningless unless it was asked. */
  readonly answerLeftMs: number;
  /** Of the owner's time to answer a handoff request; meaningless unless there is one. */
  readonly handoffLeftMs: number;
  readonly ownerIsGone: boolean;
};
export type StallDecision = {
  readonly gone: readonly WorkItemRecord[];
  readonly ask: readonly WorkItemRecord[];
  readonly calm: readonly WorkItemRecord[];
  readonly release: readonly WorkItemRecord[];
  readonly handOver: readonly WorkItemRecord[];
  readonly endRequest: readonly WorkItemRecord[];
  /** When it is worth looking again; undefined: not because of these. */
  readonly nextInMs: number | undefined;
};
type Terms = {
  /** Releases that are allowed now. */
  readonly budget: number;
  /** When there is a budget again. */
  readonly budgetEveryMs: number;
};

export function decideStalls(claims: readonly ClaimState[], { budget, budgetEveryMs }: Terms): StallDecision {
  const gone = claims.filter(({ ownerIsGone }) => ownerIsGone);
  const held = claims.filter(({ ownerIsGone }) => !ownerIsGone);
  const due = held.filter(({ record, handoffLeftMs }) => record.handoffRequest !== undefined && handoffLeftMs <= 0);
  const handOver = due.filter((claim) => isStalled(claim) || claim.record.stuck !== undefined);
  const passed = new Set(handOver);
  const staying = held.filter((claim) => !passed.has(claim));
  const overdue = staying.filter((claim) => isStalled(claim) && isAsked(claim) && claim.answerLeftMs <= 0);
  const release = withinBudget(overdue, staying, budget);
  return {
    gone: recordsOf(gone),
    ask: recordsOf(staying.filter((claim) => isStalled(claim) && !isAsked(claim))),
    calm: recordsOf(staying.filter((claim) => !isStalled(claim) && isAsked(claim))),
    release: recordsOf(release),
    handOver: recordsOf(handOver),
    endRequest: recordsOf(due.filter((claim) => !passed.has(claim))),
    nextInMs: earliest(staying, release.length < overdue.length ? budgetEveryMs : undefined),
  };
}

function isStalled({ record, idleMs }: ClaimState): boolean {
  return record.stallAfterMs !== undefined && idleMs >= record.stallAfterMs;
}

function isAsked({ record }: ClaimState): boolean {
  return record.askedAt !== undefined;
}

function recordsOf(claims: readonly ClaimState[]): readonly WorkItemRecord[] {
  return claims.map(({ record }) => record);
}

function withinBudget(
  overdue: readonly ClaimState[],
  all: readonly ClaimState[],
  budget: number,
): readonly ClaimState[] {
  const claimsOf = new Map<string, Map<string, number>>();
  for (const { record } of all) {
    const owners = claimsOf.get(record.project) ?? new Map<string, number>();
    claimsOf.set(record.project, owners);
    owners.set(record.owner!.id, (owners.get(record.owner!.id) ?? 0) + 1);
  }
  const released: ClaimState[] = [];
  const longestIdleFirst = overdue.toSorted((a, b) => b.idleMs - a.idleMs || (a.record.id < b.record.id ? -1 : 1));
  for (const claim of longestIdleFirst) {
    const owners = claimsOf.get(claim.record.project)!;
    if (released.length >= budget || owners.size < 2) continue;
    const owner = claim.record.owner!.id;
    const left = owners.get(owner)! - 1;
    if (left === 0) owners.delete(owner);
    else owners.set(owner, left);
    released.push(claim);
  }
  return released;
}

function earliest(claims: readonly ClaimState[], budgetInMs: number | undefined): number | undefined {
  const times = claims.flatMap(({ record, idleMs, answerLeftMs, handoffLeftMs }) => [
    ...(record.stallAfterMs === undefined ? [] : [record.stallAfterMs - idleMs]),
    ...(record.askedAt === undefined ? [] : [answerLeftMs]),
    ...(record.handoffRequest === undefined ? [] : [handoffLeftMs]),
  ]);
  const ahead = [...times, ...(budgetInMs === undefined ? [] : [budgetInMs])].filter((ms) => ms > 0);
  return ahead.length === 0 ? undefined : ahead.reduce((least, ms) => Math.min(least, ms));
}
