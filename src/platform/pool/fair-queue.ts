/**
 * Fair queue: which waiting job runs next. Decides only; it starts nothing and reads no clock.
 *
 *   add(job, now) -> a line per group, kind and lane -> take(now): highest lane (after ageing) that has a job allowed to
 *   run -> of its groups the one with the least service for its weight -> its oldest job
 *
 * A group is the unit that shares are measured by (in Sylk a session), a kind is what is capped across groups (an agent type).
 * Service counts starts, divided by weight, in each lane apart. Who was served less than the one served last counts as if
 * level with it: a newcomer, or a group held back by its limit, is served at once and has saved up nothing.
 * Within one line all jobs age alike, so only the heads are looked at: a decision costs by waiting groups, not by jobs.
 * Invariant: started jobs never exceed the limit of all, of their group or of their kind; while several groups wait in one
 * lane, their starts per weight differ by at most one turn.
 */
import { type Lane, lanes, rankAfter, rankOf } from "./lanes.ts";

export type Job = { readonly group: string; readonly kind: string; readonly lane: Lane };

export type Limits = {
  /** Running jobs of all groups together. */
  readonly all: number;
  readonly perGroup: number;
  /** Of the kinds named; the others are not capped. */
  readonly perKind?: Readonly<Record<string, number>>;
  /** The same within each group. */
  readonly perKindInGroup?: Readonly<Record<string, number>>;
};

export type FairQueueOptions = {
  readonly limits: Limits;
  readonly ageingMs: number;
};

type Waiting<J> = { readonly job: J; readonly since: number };
type Line<J> = { readonly kind: string; readonly rank: number; readonly jobs: Map<J, Waiting<J>> };
type Group<J> = {
  readonly name: string;
  readonly lines: Map<string, Line<J>>;
  /** By rank of the lane. */
  readonly served: number[];
  lastTurn: number;
  readonly runningKinds: Map<string, number>;
  waiting: number;
  running: number;
};
type Candidate<J> = {
  readonly group: Group<J>;
  readonly line: Line<J>;
  readonly head: Waiting<J>;
  readonly rank: number;
  readonly served: number;
};

export interface FairQueue<J extends Job> {
  add(job: J, now: number): void;
  /** Undefined when nothing waits or nothing that waits may run. `bound` is looked at first, then every lane. */
  take(now: number, bound?: Lane): { readonly job: J; readonly waitedMs: number } | undefined;
  /** A job that was taken has ended. */
  finish(job: J): void;
  /** False if the job does not wait. */
  remove(job: J): boolean;
  /** Share of a group against others, from its next start on; 1 unless set. */
  setWeight(group: string, weight: number): void;
  /** Drops what is remembered of a group that will not come back; one with jobs stays until it has none. */
  forget(group: string): void;
  setLimit(all: number): void;
  readonly limit: number;
  readonly running: number;
  readonly waiting: number;
  depth(of: { readonly group?: string; readonly lane?: Lane }): number;
  runningOf(group: string): number;
}

export function createFairQueue<J extends Job>(options: FairQueueOptions): FairQueue<J> {
  const { ageingMs } = options;
  const { perGroup, perKind = {}, perKindInGroup = {} } = options.limits;
  const groups = new Map<string, Group<J>>();
  /** Apart from the groups: a weight holds while its group has no jobs. */
  const weights = new Map<string, number>();
  const runningKinds = new Map<string, number>();
  let all = options.limits.all;
  let running = 0;
  let waiting = 0;
  let turn = 0;
  /** By rank of the lane: the service that the last served group had had before. No group counts as less. */
  const levels = lanes.map(() => 0);

  function groupOf(name: string): Group<J> {
    const known = groups.get(name);
    if (known) return known;
    const served = lanes.map(() => 0);
    const group = {
      name,
      lines: new Map(),
      served,
      runningKinds: new Map(),
      lastTurn: 0,
      waiting: 0,
      running: 0,
    };
    groups.set(name, group);
    return group;
  }

  /** What a group has had is kept over its idleness, or it would gain by coming one job at a time. */
  function forgetIdle(): void {
    if (waiting > 0 || running > 0) return;
    groups.clear();
    levels.fill(0);
  }

  const kindHasRoom = (kind: string, group: Group<J>): boolean =>
    isBelow(perKind, kind, runningKinds) && isBelow(perKindInGroup, kind, group.runningKinds);

  function* candidates(now: number): Generator<Candidate<J>> {
    for (const group of groups.values()) {
      if (group.waiting === 0 || group.running >= perGroup) continue;
      for (const line of group.lines.values()) {
        if (!kindHasRoom(line.kind, group)) continue;
        const head = line.jobs.values().next().value;
        if (!head) continue;
        const rank = rankAfter(line.rank, now - head.since, ageingMs);
        yield { group, line, head, rank, served: Math.max(group.served[rank]!, levels[rank]!) };
      }
    }
  }

  function choose(now: number, bound: Lane | undefined): Candidate<J> | undefined {
    const boundRank = bound === undefined ? -1 : rankOf(bound);
    let best: Candidate<J> | undefined;
    for (const candidate of candidates(now)) if (!best || goesBefore(candidate, best, boundRank)) best = candidate;
    return best;
  }

  function drop({ group, line }: { group: Group<J>; line: Line<J> }, job: J): void {
    line.jobs.delete(job);
    if (line.jobs.size === 0) group.lines.delete(lineKey(job));
    group.waiting--;
    waiting--;
  }

  return {
    add(job, now) {
      const group = groupOf(job.group);
      const key = lineKey(job);
      let line = group.lines.get(key);
      if (!line) group.lines.set(key, (line = { kind: job.kind, rank: rankOf(job.lane), jobs: new Map() }));
      line.jobs.set(job, { job, since: now });
      group.waiting++;
      waiting++;
    },
    take(now, bound) {
      if (running >= all) return undefined;
      const chosen = choose(now, bound);
      if (!chosen) return undefined;
      const { group, head, rank, served } = chosen;
      drop(chosen, head.job);
      levels[rank] = served;
      group.served[rank] = served + 1 / (weights.get(group.name) ?? 1);
      group.lastTurn = ++turn;
      group.running++;
      running++;
      add(runningKinds, head.job.kind, 1);
      add(group.runningKinds, head.job.kind, 1);
      return { job: head.job, waitedMs: now - head.since };
    },
    finish({ group: name, kind }) {
      const group = groups.get(name)!;
      group.running--;
      running--;
      add(runningKinds, kind, -1);
      add(group.runningKinds, kind, -1);
      forgetIdle();
    },
    remove(job) {
      const group = groups.get(job.group);
      const line = group?.lines.get(lineKey(job));
      if (!group || !line?.jobs.has(job)) return false;
      drop({ group, line }, job);
      forgetIdle();
      return true;
    },
    setWeight(name, weight) {
      if (!(weight > 0 && weight < Infinity))
        throw new RangeError(`the weight of ${name} must be a number above 0, not ${weight}`);
      if (weight === 1) weights.delete(name);
      else weights.set(name, weight);
    },
    forget(name) {
      weights.delete(name);
      const group = groups.get(name);
      if (group?.waiting === 0 && group.running === 0) groups.delete(name);
    },
    setLimit(limit) {
      all = limit;
    },
    get limit() {
      return all;
    },
    get running() {
      return running;
    },
    get waiting() {
      return waiting;
    },
    depth({ group, lane }) {
      const counted = group === undefined ? groups.values() : [groups.get(group)].filter((each) => each !== undefined);
      let depth = 0;
      for (const { lines } of counted)
        for (const { rank, jobs } of lines.values()) if (lane === undefined || lanes[rank] === lane) depth += jobs.size;
      return depth;
    },
    runningOf: (group) => groups.get(group)?.running ?? 0,
  };
}

function isBelow(caps: Readonly<Record<string, number>>, kind: string, counts: ReadonlyMap<string, number>): boolean {
  return !Object.hasOwn(caps, kind) || (counts.get(kind) ?? 0) < caps[kind]!;
}

function add(counts: Map<string, number>, kind: string, change: number): void {
  const count = (counts.get(kind) ?? 0) + change;
  if (count === 0) counts.delete(kind);
  else counts.set(kind, count);
}

function lineKey({ kind, lane }: Job): string {
  return `${lane} ${kind}`;
}

/** Bound lane, then lane, then service for weight, then whose turn was longer ago, then age. */
function goesBefore<J>(one: Candidate<J>, other: Candidate<J>, boundRank: number): boolean {
  const byBound = Number(other.rank === boundRank) - Number(one.rank === boundRank);
  if (byBound !== 0) return byBound < 0;
  if (one.rank !== other.rank) return one.rank < other.rank;
  if (one.group !== other.group) {
    if (one.served !== other.served) return one.served < other.served;
    return one.group.lastTurn < other.group.lastTurn;
  }
  return one.head.since < other.head.since;
}
