/** The pool's figures: per group, per lane, and how long jobs ran. Waiting and running are never added up. */
import { createHistogram, type Histogram } from "./histogram.ts";
import { type Lane, lanes } from "./lanes.ts";

export type Times = {
  readonly count: number;
  readonly meanMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
};
export type GroupMetrics = {
  readonly submitted: number;
  readonly started: number;
  readonly finished: number;
  readonly failed: number;
  readonly waiting: number;
  readonly running: number;
  readonly wait: Times;
};
export type PoolMetrics = {
  readonly limit: number;
  readonly running: number;
  readonly waiting: number;
  /** Jobs that did not end when told to; their slots were given away. */
  readonly abandoned: number;
  readonly refused: number;
  readonly groups: Readonly<Record<string, GroupMetrics>>;
  readonly lanes: Readonly<Record<Lane, { readonly waiting: number; readonly wait: Times }>>;
  readonly run: Times & { readonly buckets: ReturnType<Histogram["buckets"]> };
};

export type GroupTally = {
  submitted: number;
  started: number;
  finished: number;
  failed: number;
  readonly wait: Histogram;
};

export function createTallies() {
  const groups = new Map<string, GroupTally>();
  return {
    groups,
    waitByLane: Object.fromEntries(lanes.map((lane) => [lane, createHistogram()])) as Record<Lane, Histogram>,
    run: createHistogram(),
    abandoned: 0,
    refused: 0,
    of(group: string): GroupTally {
      let tally = groups.get(group);
      if (!tally)
        groups.set(group, (tally = { submitted: 0, started: 0, finished: 0, failed: 0, wait: createHistogram() }));
      return tally;
    },
  };
}

export function timesOf(histogram: Histogram): Times {
  const { count, sumMs, maxMs } = histogram;
  const meanMs = count === 0 ? 0 : sumMs / count;
  return { count, meanMs, p50Ms: histogram.quantile(0.5), p99Ms: histogram.quantile(0.99), maxMs };
}
