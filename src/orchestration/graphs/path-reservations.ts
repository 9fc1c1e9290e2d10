/** How nodes reserve paths: each node is an agent in the graph's tree, with the same rules as all agents. */
import type { AgentRef, GraphId, DagNodeTerms, DomainError, Reservation, ReservationId } from "../../contract/index.ts";

export type Reserves = NonNullable<DagNodeTerms["reserves"]>;

export type Grant = { readonly id: ReservationId; readonly fencingToken: number; readonly renewEveryMs: number };

export type PathHolder = {
  readonly agent: AgentRef;
  /** Throws `reservation.conflict` when a path is taken. With a signal, waits in line until granted or aborted. */
  acquire(wanted: Reserves, waiting?: AbortSignal): Promise<Grant>;
  /** Throws `lease.lost` when the reservation has ended. */
  renew(grant: Grant): Promise<void>;
  /** Names the agent that holds the paths now, in the words of `conflictText`. */
  inTheWay(wanted: Reserves): Promise<string | undefined>;
  /** Releases everything it holds. */
  end(): Promise<void>;
};

export type PathReservations = {
  /** A node gets the same agent again after a restart, so it still holds its paths. */
  open(about: { readonly dag: GraphId; readonly node: string; readonly tree: string }): Promise<PathHolder>;
};

type Conflict = { readonly overlap?: string; readonly holder?: AgentRef; readonly reservation?: Reservation };

/** Describes a conflict for readers of the graph, without the advice that an agent would get. */
export function conflictText({ details, message }: Pick<DomainError, "details" | "message">): string {
  const { overlap, holder, reservation } = details as Conflict;
  if (holder === undefined) return message;
  const who = `${holder.name} (${holder.client})`;
  if (overlap === undefined) return `${who} is first in line for the same paths`;
  return `"${overlap}" is held by ${who}${reservation?.reason === undefined ? "" : `: ${reservation.reason}`}`;
}
