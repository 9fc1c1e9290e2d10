/**
 * Tells each agent when to catch up, and with which files: in this daemon's memory, because after a restart looking again at
 * everything is right anyway.
 *
 *   a commit that concerns it -> waits -> due: look again (debounce), take over (cool-down, or batch while busy) -> done
 *
 * Invariant: nothing that waits is dropped before it was told; nothing is told twice.
 */
import type { AgentId, ProjectId } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";

/** Each rule is off at 0. */
export type CatchUpRules = {
  /** Debounce: looking again at most this often. */
  readonly refreshEveryMs: number;
  /** Cool-down: taking over at most this often. */
  readonly syncEveryMs: number;
  /** Batch: the same while the project is busy. */
  readonly batchEveryMs: number;
  readonly busyCommitsPerHour: number;
};

export type Due = {
  readonly refresh: readonly string[];
  readonly sync: boolean;
  readonly waiting: number;
  readonly nextInMs: number | undefined;
  readonly batched: boolean;
};

export type CatchUpClock = {
  committed(project: ProjectId, paths: readonly string[], concerns: readonly AgentId[]): void;
  take(project: ProjectId, agent: AgentId): Due;
  /** What an agent has to look at again, at its next edit; what it is told counts as done. */
  refresh(agent: AgentId): readonly string[];
  /** When an agent may take over what is upstream; what comes too soon is kept, and due later. */
  mayTakeOver(project: ProjectId, agent: AgentId): { readonly inMs: number; readonly batched: boolean };
  tookOver(agent: AgentId): void;
  /** While a project commits a lot agents get no message for each commit: they hear of it at their next edit. */
  isLazy(project: ProjectId): boolean;
  forget(agent: AgentId): void;
};

type Entry = { paths: Set<string>; commits: number; refreshedAt: number; syncedAt: number };
type Pace = { readonly times: number[]; busy: boolean };

const rateWindowMs = 10 * 60_000;
/** Calm again only well below the threshold, so that it does not flicker. */
const calmShare = 0.7;
/** One agent that never asks must not fill the memory; an agent that is told of this many looks at everything. */
const mostPaths = 1_000;

export function createCatchUpClock(clock: Clock, rules: CatchUpRules): CatchUpClock {
  const entries = new Map<AgentId, Entry>();
  const paces = new Map<ProjectId, Pace>();

  function isBusy(project: ProjectId): boolean {
    const pace = paces.get(project);
    if (pace === undefined || rules.batchEveryMs === 0) return false;
    const oldest = clock.monotonic() - rateWindowMs;
    while (pace.times.length > 0 && pace.times[0]! < oldest) pace.times.shift();
    const perHour = pace.times.length * (3_600_000 / rateWindowMs);
    pace.busy = perHour > rules.busyCommitsPerHour * (pace.busy ? calmShare : 1);
    return pace.busy;
  }

  function entryOf(agent: AgentId): Entry {
    const entry = entries.get(agent) ?? { paths: new Set(), commits: 0, refreshedAt: -Infinity, syncedAt: -Infinity };
    entries.set(agent, entry);
    return entry;
  }

  function markSynced(entry: Entry): void {
    entry.commits = 0;
    entry.syncedAt = clock.monotonic();
  }

  function syncInMs({ syncedAt }: Entry, batched: boolean): number {
    const everyMs = batched ? Math.max(rules.batchEveryMs, rules.syncEveryMs) : rules.syncEveryMs;
    return Math.max(0, syncedAt + everyMs - clock.monotonic());
  }

  function refreshOf(entry: Entry): { readonly inMs: number | undefined; readonly paths: readonly string[] } {
    const now = clock.monotonic();
    const inMs = entry.paths.size === 0 ? undefined : Math.max(0, entry.refreshedAt + rules.refreshEveryMs - now);
    if (inMs !== 0) return { inMs, paths: [] };
    const paths = [...entry.paths];
    entry.paths.clear();
    entry.refreshedAt = now;
    return { inMs, paths };
  }

  return {
    isLazy: isBusy,
    mayTakeOver(project, agent) {
      const batched = isBusy(project);
      const entry = entryOf(agent);
      const inMs = syncInMs(entry, batched);
      if (inMs > 0) entry.commits = Math.max(1, entry.commits);
      return { inMs, batched };
    },
    tookOver: (agent) => markSynced(entryOf(agent)),
    refresh(agent) {
      const entry = entries.get(agent);
      return entry === undefined ? [] : refreshOf(entry).paths;
    },
    committed(project, paths, concerns) {
      const pace = paces.get(project) ?? { times: [], busy: false };
      paces.set(project, pace);
      pace.times.push(clock.monotonic());
      isBusy(project);
      for (const agent of concerns) {
        const entry = entryOf(agent);
        entry.commits++;
        for (const path of paths) if (entry.paths.size < mostPaths) entry.paths.add(path);
      }
    },
    take(project, agent) {
      const batched = isBusy(project);
      const entry = entries.get(agent);
      if (entry === undefined) return { refresh: [], sync: false, waiting: 0, nextInMs: undefined, batched };
      const inMs = entry.commits === 0 ? undefined : syncInMs(entry, batched);
      const { inMs: refreshInMs, paths: refresh } = refreshOf(entry);
      if (inMs === 0) markSynced(entry);
      const left = [refreshInMs, inMs].filter((ms) => ms !== undefined && ms > 0);
      return {
        refresh,
        sync: inMs === 0,
        waiting: entry.commits,
        nextInMs: left.length === 0 ? undefined : Math.min(...(left as number[])),
        batched,
      };
    },
    forget: (agent) => void entries.delete(agent),
  };
}
