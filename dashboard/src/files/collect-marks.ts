/** What Sylk knows about paths, from all its sources, as marks of the tree. */
import type { LogEvent, OutputOf, PresentAgent, ReleaseRequest, Reservation } from "../daemon/contract.ts";
import type { PathMark } from "./build-tree.ts";

type Sources = {
  readonly agents: readonly PresentAgent[] | undefined;
  readonly holds: OutputOf<"reservation.list">["items"] | undefined;
  readonly stats: OutputOf<"reservation.stats">["paths"] | undefined;
  readonly events: readonly LogEvent[] | undefined;
  readonly versions: OutputOf<"file.history">["items"] | undefined;
};

export function collectMarks(sources: Sources): readonly PathMark[] {
  const { agents = [], holds = [], stats = [], events = [], versions = [] } = sources;
  return [
    ...holds.flatMap(({ paths, patterns }) => [...paths, ...patterns].map((path) => ({ path, holds: 1 }))),
    ...agents.flatMap(({ waits }) => waits.flatMap(({ paths }) => paths.map((path) => ({ path, waiters: 1 })))),
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

export type Waiter = {
  readonly id: string;
  readonly name: string;
  readonly since: number;
  /** "in line", or what the holder made of its request. */
  readonly how: string;
};

/** Agents that wait for a reservation, the longest first. */
export function waitersFor(
  reservation: string,
  agents: readonly PresentAgent[],
  events: readonly LogEvent[],
): readonly Waiter[] {
  const requests = openRequests(events).get(reservation) ?? [];
  return agents
    .flatMap(({ id, name, waits }) =>
      waits
        .filter((wait) => wait.reservation === reservation)
        .map(({ how, since }) => {
          const state = requests.find(({ requester }) => requester.id === id)?.state ?? "open";
          return { id, name, since, how: how === "in-line" ? "in line" : state };
        }),
    )
    .toSorted((a, b) => a.since - b.since);
}

/** The newest request of each agent, by reservation; it ends with the reservation. */
function openRequests(events: readonly LogEvent[]): ReadonlyMap<string, readonly ReleaseRequest[]> {
  const requests = new Map<string, readonly ReleaseRequest[]>();
  for (const { type, data } of events) {
    for (const request of requestsIn(type, data)) {
      const others = (requests.get(request.reservation) ?? []).filter(
        ({ requester }) => requester.id !== request.requester.id,
      );
      requests.set(request.reservation, [...others, request]);
    }
  }
  return requests;
}

function requestsIn(type: string, data: LogEvent["data"]): readonly ReleaseRequest[] {
  if (type === "reservation.asked") return [data["request"] as ReleaseRequest];
  return type === "reservation.answered" ? (data["requests"] as ReleaseRequest[]) : [];
}

export type ForecastFact = { readonly overlap: string; readonly reservation: Reservation; readonly other: Reservation };

/** Merge conflicts to come: both reservations are still held. */
export function forecastsIn(events: readonly LogEvent[], held: ReadonlySet<string>): readonly ForecastFact[] {
  return events
    .filter(({ type }) => type === "reservation.forecast")
    .map(({ data }) => data as unknown as ForecastFact)
    .filter(({ reservation, other }) => held.has(reservation.id) && held.has(other.id));
}
