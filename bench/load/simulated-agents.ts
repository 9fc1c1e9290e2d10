/**
 * Agents that always want to work, in sessions of unequal size, through one pool.
 *
 *   agent -> submit -> waits -> works (a timer) -> submits again …            until as many jobs are done as wanted
 */
import type { Clock } from "../../src/platform/clock/index.ts";
import { createPool } from "../../src/platform/pool/index.ts";

export type AgentLoad = {
  readonly clock: Clock;
  readonly sessions: number;
  readonly agents: number;
  readonly workers: number;
  readonly workMs: number;
  readonly jobs: number;
  /** Fine time, for what the clock's whole milliseconds do not show. */
  readonly fineNow: () => number;
};
export type AgentFigures = {
  /** Jain's index of what the sessions had got, each time another tenth of the jobs had started. */
  readonly fairness: readonly number[];
  /** From the moment a slot was free and a job there to the job's start. */
  readonly dispatchMs: readonly number[];
  readonly p95WaitMs: number;
  readonly seconds: number;
  readonly done: number;
};

export async function simulateAgents({
  clock,
  sessions,
  agents,
  workers,
  workMs,
  jobs,
  fineNow,
}: AgentLoad): Promise<AgentFigures> {
  const pool = createPool({
    clock,
    limits: { all: workers, perGroup: agents },
    queue: { all: agents, perGroup: agents },
  });
  const served = Array.from({ length: sessions }, () => 0);
  const fairness: number[] = [];
  const dispatchMs: number[] = [];
  const waits: number[] = [];
  /** When slots became free that are still free. */
  const free: number[] = Array.from({ length: workers }, () => 0);
  let given = 0;
  let started = 0;
  let done = 0;
  const begin = fineNow();
  const work = async (session: number): Promise<void> => {
    while (given < jobs) {
      given++;
      const asked = fineNow();
      await pool.submit({
        group: `s${session}`,
        kind: "engineer",
        lane: "normal",
        run: async () => {
          const now = fineNow();
          dispatchMs.push(now - Math.max(asked, free.shift() ?? asked));
          waits.push(now - asked);
          served[session]!++;
          if (++started % Math.ceil(jobs / 10) === 0) fairness.push(jain(served));
          await new Promise<void>((resolve) => clock.after(workMs, resolve, { keepAlive: true }));
          free.push(fineNow());
        },
      });
      done++;
    }
  };
  await Promise.all(arrivals(sizes(sessions, agents)).map(work));
  const seconds = (fineNow() - begin) / 1000;
  pool.close();
  waits.sort((a, b) => a - b);
  return { fairness, dispatchMs, p95WaitMs: waits[Math.floor(waits.length * 0.95)] ?? 0, seconds, done };
}

/** From half to one and a half times the mean, and as many in all as wanted. */
function sizes(sessions: number, agents: number): readonly number[] {
  const mean = agents / sessions;
  const all = Array.from({ length: sessions }, (_, index) =>
    Math.max(1, Math.round(mean * (0.5 + index / Math.max(1, sessions - 1)))),
  );
  all[sessions - 1]! += agents - all.reduce((sum, size) => sum + size, 0);
  return all;
}

/** One agent of each session after the other, so that no session is ahead from the start. */
function arrivals(ofSessions: readonly number[]): readonly number[] {
  const most = Math.max(...ofSessions);
  return Array.from({ length: most }, (_, agent) =>
    [...ofSessions.keys()].filter((session) => agent < ofSessions[session]!),
  ).flat();
}

/** 1 when all got the same, 1/n when one got everything. */
export function jain(shares: readonly number[]): number {
  const sum = shares.reduce((total, share) => total + share, 0);
  const squares = shares.reduce((total, share) => total + share * share, 0);
  return squares === 0 ? 1 : (sum * sum) / (shares.length * squares);
}
