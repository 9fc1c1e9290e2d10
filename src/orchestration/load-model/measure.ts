/** From counts to figures, rounded. */
import type { Measurement } from "../../contract/index.ts";
import type { Counts, Readings } from "./meter.ts";
import type { World } from "./world.ts";

const minuteMs = 60_000;

export async function measure(
  { agents, minutes }: { readonly agents: number; readonly minutes: number },
  { halves, closedBy }: Readings,
  world: World,
): Promise<Measurement> {
  const all = sum(...halves);
  const agentMs = agents * minutes * minuteMs;
  const closed = [...closedBy.values()];
  const { handOvers, handOversPerPathHour, graceHits } = await stats(world, minutes);
  return {
    agents,
    commits: all.commits,
    commitsPerHour: rounded(all.commits / (minutes / 60)),
    blockedShare: rounded(all.blockedMs / agentMs),
    blockedShareHalves: mapHalves(halves, ({ blockedMs }) => (2 * blockedMs) / agentMs),
    reservations: all.reservations,
    handOvers,
    handOversPerPathHour,
    graceHits,
    lostHolds: all.lostHolds,
    waitsGivenUp: all.waitsGivenUp,
    refreshesPerCommit: per(all.refreshes, all.commits),
    syncsPerCommit: per(all.syncs, all.commits),
    deliveriesPerCommit: per(all.told, all.commits),
    deliveriesPerReservation: per(all.answeredWaiters, all.reservations),
    fairness: rounded(jain([...closed, ...Array.from({ length: agents - closed.length }, () => 0)])),
    queueAgeMinutes: per(all.claimAgeMs / minuteMs, all.claims),
    queueAgeHalvesMinutes: mapHalves(halves, ({ claimAgeMs, claims }) => per(claimAgeMs / minuteMs, claims)),
    itemsClosed: closed.reduce((total, count) => total + count, 0),
    itemsOpen: await openItems(world),
  };
}

/** 1 when all have the same, 1/n when one has everything; 1 when none has anything. */
export function jain(shares: readonly number[]): number {
  const total = shares.reduce((sum, share) => sum + share, 0);
  const squares = shares.reduce((sum, share) => sum + share * share, 0);
  return squares === 0 ? 1 : total ** 2 / (shares.length * squares);
}

async function openItems(world: World): Promise<number> {
  return (await (await world.join("planner")).call("work-item.ready", { limit: 500 })).items.length;
}

/** The product's own measure of oscillation; it counts whole hours. */
async function stats(world: World, minutes: number) {
  const hours = Math.min(168, Math.max(1, Math.ceil(minutes / 60)));
  return (await world.join("planner")).call("reservation.stats", { hours, limit: 1 });
}

function sum(one: Counts, other: Counts): Counts {
  const total = { ...one };
  for (const name of Object.keys(other) as (keyof Counts)[]) total[name] += other[name];
  return total;
}

function mapHalves([first, second]: Readings["halves"], figure: (counts: Counts) => number): readonly [number, number] {
  return [rounded(figure(first)), rounded(figure(second))];
}

function per(amount: number, count: number): number {
  return count === 0 ? 0 : rounded(amount / count);
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
