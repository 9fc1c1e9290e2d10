/** Counts what happens to simulated agents, in two halves of the measured time; before that it counts nothing. */
export type Meter = {
  reserved(waitedMs: number): void;
  waitedInVain(ms: number): void;
  lostHold(): void;
  committed(told: number): void;
  waitedToCommit(ms: number): void;
  refreshed(): void;
  synced(): void;
  claimed(ageMs: number): void;
  closed(agent: string): void;
};

export type Counts = {
  reservations: number;
  /** Waiters that were given what they waited for, or told that they waited in vain. */
  answeredWaiters: number;
  blockedMs: number;
  waitsGivenUp: number;
  lostHolds: number;
  commits: number;
  /** Agents that were told of a commit, over all commits. */
  told: number;
  refreshes: number;
  syncs: number;
  claims: number;
  claimAgeMs: number;
};

export type Halves = readonly [Counts, Counts];

export type Readings = { readonly halves: Halves; readonly closedBy: ReadonlyMap<string, number> };

/** `half` is the half of the measured time: 0, 1, or undefined while nothing is measured. */
export function createMeter(half: () => 0 | 1 | undefined): Meter & { read(): Readings } {
  const halves: Halves = [emptyCounts(), emptyCounts()];
  const closedBy = new Map<string, number>();
  function count(change: (counts: Counts) => void): void {
    const now = half();
    if (now !== undefined) change(halves[now]);
  }
  function waited(counts: Counts, ms: number): void {
    counts.blockedMs += ms;
    if (ms > 0) counts.answeredWaiters++;
  }
  return {
    reserved: (ms) =>
      count((counts) => {
        counts.reservations++;
        waited(counts, ms);
      }),
    waitedInVain: (ms) =>
      count((counts) => {
        counts.waitsGivenUp++;
        waited(counts, ms);
      }),
    lostHold: () => count((counts) => void counts.lostHolds++),
    committed: (told) =>
      count((counts) => {
        counts.commits++;
        counts.told += told;
      }),
    waitedToCommit: (ms) => count((counts) => void (counts.blockedMs += ms)),
    refreshed: () => count((counts) => void counts.refreshes++),
    synced: () => count((counts) => void counts.syncs++),
    claimed: (ageMs) =>
      count((counts) => {
        counts.claims++;
        counts.claimAgeMs += ageMs;
      }),
    closed: (agent) => count(() => void closedBy.set(agent, (closedBy.get(agent) ?? 0) + 1)),
    read: () => ({ halves, closedBy }),
  };
}

function emptyCounts(): Counts {
  return {
    reservations: 0,
    answeredWaiters: 0,
    blockedMs: 0,
    waitsGivenUp: 0,
    lostHolds: 0,
    commits: 0,
    told: 0,
    refreshes: 0,
    syncs: 0,
    claims: 0,
    claimAgeMs: 0,
  };
}
