/**
 * The sweeper: frees what has expired and what the gone have left, as one transaction, with one event each.
 *
 *   something was granted -> timer for its end -> snapshot -> decideSweep -> apply -> timer for the next end
 *   processes are gone (watch-processes.ts) ------^
 *
 * Renewals only move ends away, so waking too early is harmless and waking too late impossible. Without live agents,
 * reservations or claims there is no timer.
 */
import type { LogEvent } from "../../contract/index.ts";
import type { Bus } from "../../platform/bus/index.ts";
import type { Timer } from "../../platform/clock/index.ts";
import type { Store, Transaction } from "../../platform/store/index.ts";
import { leave, type Leaving } from "../agent-end/index.ts";
import type { HandoffRepositories } from "../handoff/index.ts";
import type { LeaseClock } from "../leases/index.ts";
import type { AgentRecord, WatchedProcess } from "../registry/index.ts";
import { endReservation } from "../reservations/index.ts";
import { claimLeftMs, endClaim } from "../work-items/index.ts";
import { sweepStalls, type StallPorts } from "./apply-stalls.ts";
import { decideSweep, type SweepDecision, type SweepSnapshot } from "./decide-sweep.ts";

type Ports = StallPorts & {
  readonly store: Store<HandoffRepositories>;
  readonly bus: Bus<LogEvent>;
  readonly leases: LeaseClock;
  readonly staleAfterMs: number;
  readonly onFailed: (error: unknown) => void;
  /** Told each time it has looked. */
  readonly onSwept?: () => void;
};
type Tx = HandoffRepositories & Transaction;

const atMostEveryMs = 1_000;
const afterFailureMs = 5_000;
/** The disruption budget: how many live agents may lose a stalled claim, and how often. */
const maxReleases = 2;
const releasesEveryMs = 60_000;

/** A client's process that is gone, and what it left running. */
export type GoneProcess = WatchedProcess & Pick<Leaving, "left">;

export type Sweeper = {
  /** `gone`: processes that were just seen to run no more. */
  sweep(gone?: readonly GoneProcess[]): Promise<SweepDecision>;
  stop(): void;
};

export function startSweeper(ports: Ports): Sweeper {
  const { clock } = ports;
  let look: { readonly at: number; readonly timer: Timer } | undefined;
  let stopped = false;
  let releasedAt = -Infinity;

  const unsubscribe = ports.bus.subscribe("event.**", (event) => {
    const endsInMs = earliestEnd(event, ports.staleAfterMs);
    if (endsInMs !== undefined) wakeWithin(Math.max(atMostEveryMs, endsInMs));
  });

  /** Never later than planned already: what was granted since may end before everything that is known. */
  function wakeWithin(ms: number): void {
    const at = clock.monotonic() + ms;
    if (stopped || (look !== undefined && look.at <= at)) return;
    forgetLook();
    look = { at, timer: clock.after(ms, wake) };
  }

  function forgetLook(): void {
    look?.timer.cancel();
    look = undefined;
  }

  function wake(): void {
    sweep().catch(ports.onFailed);
  }

  async function sweep(gone: readonly GoneProcess[] = []): Promise<SweepDecision> {
    // Before the snapshot is taken: an event from here on may be about something that the snapshot does not show.
    forgetLook();
    try {
      const { decision, stalls } = await ports.store.transact("sweep", async (tx) => {
        const seen = await snapshot(gone, tx, ports);
        const decision = await apply(decideSweep(seen), tx, ports);
        return { decision, stalls: await sweepStalls(...claimsLeft(seen, decision), budgetNow(), tx, ports) };
      });
      ports.onSwept?.();
      if (stalls.release.length > 0) releasedAt = clock.monotonic();
      for (const nextInMs of [decision.nextInMs, stalls.nextInMs])
        if (nextInMs !== undefined) wakeWithin(Math.max(atMostEveryMs, nextInMs));
      return decision;
    } catch (error) {
      wakeWithin(afterFailureMs);
      throw error;
    }
  }

  function budgetNow() {
    const waitMs = releasedAt + releasesEveryMs - clock.monotonic();
    return { budget: waitMs > 0 ? 0 : maxReleases, budgetEveryMs: waitMs > 0 ? waitMs : releasesEveryMs };
  }

  wake();
  return {
    sweep,
    stop() {
      stopped = true;
      unsubscribe();
      forgetLook();
    },
  };
}

/** How soon an event makes a look worthwhile: when what it grants could end at the earliest. Undefined: not at all. */
function earliestEnd({ type, data }: LogEvent, staleAfterMs: number): number | undefined {
  switch (type) {
    case "agent.registered":
    case "agent.returned":
      return staleAfterMs;
    case "reservation.acquired":
      return (data as { reservation: { ttlMs: number } }).reservation.ttlMs;
    case "work-item.claimed":
    case "work-item.handed-over": {
      const { ttlMs, stallAfterMs } = data as { ttlMs: number; stallAfterMs: number };
      return Math.min(ttlMs, stallAfterMs);
    }
    case "work-item.stall-asked":
    case "work-item.handoff-asked":
      return (data as { answerWithinMs: number }).answerWithinMs;
    case "agent.offline":
      return 0; // its process may be gone: then its claims return
    case "agent.ended":
      return 0; // it may have been the last: then a look finds nothing to wait for
    default:
      return undefined;
  }
}

async function snapshot(
  gone: readonly GoneProcess[],
  tx: Tx,
  { leases, liveness, staleAfterMs }: Ports,
): Promise<SweepSnapshot> {
  const agents = await tx.agents.list({ project: undefined, includeGone: false });
  const reservations = await tx.reservations.live(undefined);
  const claims = await tx.workItems.owned();
  return {
    agents: agents.map((record) => ({
      record,
      leftMs: staleAfterMs - liveness.silenceMs(record.id),
      ...endOf(gone.find((process) => isProcessOf(record, process))),
    })),
    reservations: reservations.map((record) => ({ record, leftMs: leases.leftMs(record) })),
    claims: claims.map((record) => ({ record, leftMs: claimLeftMs(record, { liveness }) })),
  };
}

function endOf(process: GoneProcess | undefined): Pick<SweepSnapshot["agents"][number], "processGone" | "left"> {
  return { processGone: process !== undefined, left: process?.left };
}

/** Claims that have not run out, and the agents that stay. */
function claimsLeft({ claims, agents }: SweepSnapshot, { unclaimed, offline }: SweepDecision) {
  const gone = new Set<string>(offline.map(({ record }) => record.id));
  const ended = new Set(unclaimed);
  const live = agents.filter(({ record }) => !gone.has(record.id)).map(({ record }) => record.id as string);
  const left = claims.map(({ record }) => record).filter((record) => !ended.has(record) && !gone.has(record.owner!.id));
  return [left, new Set(live)] as const;
}

/** Since it was looked at, the session may have come back with another process. */
function isProcessOf({ id, pid, processStart }: AgentRecord, process: WatchedProcess): boolean {
  return process.agent === id && process.pid === pid && process.start === processStart;
}

async function apply(decision: SweepDecision, tx: Tx, ports: Ports): Promise<SweepDecision> {
  await leave(decision.offline, tx, ports);
  for (const record of decision.expired) await endReservation(record, "expired", tx, ports);
  for (const record of decision.unclaimed) await endClaim(record, { how: "expired", status: "open" }, tx, ports);
  return decision;
}
