/** Oscillation, measured: how often paths change hands, what waiting costs, how often grace gives a path back. */
import type { Caller, InputOf, OutputOf } from "../../contract/index.ts";
import type { ReservationPorts } from "./ports.ts";
import type { PathStats } from "./store.ts";

const hourMs = 3_600_000;
const sums = ["grants", "handOvers", "backAndForth", "waitedMs", "givenUp", "graceHits"] as const;

export async function reservationStats(
  { hours, limit }: InputOf<"reservation.stats">,
  { project }: Caller,
  { store, clock }: Pick<ReservationPorts, "store" | "clock">,
): Promise<OutputOf<"reservation.stats">> {
  const since = clock.now() - hours * hourMs;
  const paths = project === undefined ? [] : await store.reader.reservations.stats({ project: project.id, since });
  return {
    since,
    ...totals(paths),
    handOversPerPathHour: perHour(totals(paths).handOvers, Math.max(1, paths.length) * hours),
    paths: paths.slice(0, limit).map((one) => ({ ...one, handOversPerHour: perHour(one.handOvers, hours) })),
  };
}

function totals(paths: readonly PathStats[]): Omit<PathStats, "path"> {
  const total = { grants: 0, handOvers: 0, backAndForth: 0, waitedMs: 0, givenUp: 0, graceHits: 0 };
  for (const one of paths) for (const name of sums) total[name] += one[name];
  return total;
}

function perHour(count: number, hours: number): number {
  return Math.round((1_000 * count) / hours) / 1_000;
}
