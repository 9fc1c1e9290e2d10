/** How nodes come to hold paths: each is an agent of its own in the graph's tree, with the same reservations as everybody. */
import type { AgentRef, DagId, DagNodeTerms, DomainError, Reservation, ReservationId } from "../../contract/index.ts";

export type Reserves = NonNullable<DagNodeTerms["reserves"]>;

export type Grant = { readonly id: ReservationId; readonly fencingToken: number; readonly renewEveryMs: number };

export type PathHolder = {
  readonly agent: AgentRef;
  /** Refused as `reservation.conflict`; with a signal it waits in line until it is granted or given up. */
  acquire(wanted: Reserves, waiting?: AbortSignal): Promise<Grant>;
  /** Refused as lost when it has ended. */
  renew(grant: Grant): Promise<void>;
  /** Who stands in the way of them now, as `conflictText` says it. */
  inTheWay(wanted: Reserves): Promise<string | undefined>;
  /** Gives back what it holds. */
  end(): Promise<void>;
};

export type PathReservations = {
  /** The same agent for the same node, also after a restart: what it held until then is still its own. */
  open(about: { readonly dag: DagId; readonly node: string; readonly tree: string }): Promise<PathHolder>;
};

type Conflict = { readonly overlap?: string; readonly holder?: AgentRef; readonly reservation?: Reservation };

/** For whoever looks at the graph: the ways out of an agent's refusal are none of its own. */
export function conflictText({ details, message }: Pick<DomainError, "details" | "message">): string {
  const { overlap, holder, reservation } = details as Conflict;
  if (holder === undefined) return message;
  const who = `${holder.name} (${holder.client})`;
  if (overlap === undefined) return `${who} waits for the same paths before it`;
  return `"${overlap}" is held by ${who}${reservation?.reason === undefined ? "" : `: ${reservation.reason}`}`;
}
