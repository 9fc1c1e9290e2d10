/** What Sylk knows about paths, from all its sources, as marks of the tree. */
import type { LogEvent, OutputOf, ReleaseRequest, Reservation } from "../daemon/contract.ts";
import type { PathMark } from "./build-tree.ts";

type Sources = {
  readonly holds: OutputOf<"reservation.list">["items"] | undefined;
  readonly stats: OutputOf<"reservation.stats">["paths"] | undefined;
  readonly events: readonly LogEvent[] | undefined;
  readonly versions: OutputOf<"file.history">["items"] | undefined;
};

export function collectMarks({ holds = [], stats = [], events = [], versions = [] }: Sources): readonly PathMark[] {
  const requests = openRequests(events);
  return [
    ...holds.flatMap(({ id, paths, patterns }) =>
      [...paths, ...patterns].map((path) => ({ path, holds: 1, waiters: requests.get(id)?.length ?? 0 })),
    ),
    ...stats.map(({ path, grants, handOvers, backAndForth, waitedMs }) => ({
      path,
      grants,
      handOvers,
      backAndForth,
      waitedMs,
    })),
    ...forecastsIn(events, new Set(holds.map(({ id }) => id))).map(({ overlap }) => ({ path: overlap, forecasts: 1 })),
    ...versions.map(({ path }) => ({ path, versions: 1 })),
  ];
}

/** The newest request of each agent, by reservation; it ends with the reservation. */
export function openRequests(events: readonly LogEvent[]): ReadonlyMap<string, readonly ReleaseRequest[]> {
  const requests = new Map<string, readonly ReleaseRequest[]>();
  for (const { type, data } of events) {
    if (type !== "reservation.asked") continue;
    const request = data["request"] as ReleaseRequest;
    const others = (requests.get(request.reservation) ?? []).filter(
      ({ requester }) => requester.id !== request.requester.id,
    );
    requests.set(request.reservation, [...others, request]);
  }
  return requests;
}

export type ForecastFact = { readonly overlap: string; readonly reservation: Reservation; readonly other: Reservation };

/** Merge conflicts to come: both reservations are still held. */
export function forecastsIn(events: readonly LogEvent[], held: ReadonlySet<string>): readonly ForecastFact[] {
  return events
    .filter(({ type }) => type === "reservation.forecast")
    .map(({ data }) => data as unknown as ForecastFact)
    .filter(({ reservation, other }) => held.has(reservation.id) && held.has(other.id));
}
