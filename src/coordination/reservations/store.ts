/** What the reservation folder keeps. */
import type { AgentId, ProjectId, Reservation, ReservationId } from "../../contract/index.ts";
import type { Place } from "./places.ts";

/** A reservation without its projected end, which only the lease clock knows. */
export type ReservationRecord = Omit<Reservation, "expiresAt"> & {
  readonly project: ProjectId;
  readonly endedAt: number | undefined;
};

/** `position` is the cursor of the next page. */
export type Near = Pick<Place, "kind" | "source"> & {
  readonly record: ReservationRecord;
  readonly position: number;
};

export type ReservationRepository = {
  insert(record: ReservationRecord): Promise<void>;
  find(id: ReservationId): Promise<ReservationRecord | undefined>;
  /** Not yet ended ones, of one project or of all, in order of their grant. */
  live(project: ProjectId | undefined): Promise<readonly ReservationRecord[]>;
  liveOf(project: ProjectId, holder: AgentId): Promise<readonly ReservationRecord[]>;
  /** Not yet ended ones with a path or pattern that could meet one of that place; one row for each of them. */
  near(
    project: ProjectId,
    place: Place,
    page: { readonly after: number; readonly limit: number },
  ): Promise<readonly Near[]>;
  setTtl(id: ReservationId, ttlMs: number): Promise<void>;
  end(id: ReservationId, at: number): Promise<void>;
  removeEndedBefore(at: number): Promise<number>;
  nextFencingToken(project: ProjectId): Promise<number>;
};
