/** What the reservation folder keeps. */
import type { AgentId, ProjectId, Reservation, ReservationId } from "../../contract/index.ts";

/** A reservation without its projected end, which only the lease clock knows. */
export type ReservationRecord = Omit<Reservation, "expiresAt"> & {
  readonly project: ProjectId;
  readonly endedAt: number | undefined;
};

export type ReservationRepository = {
  insert(record: ReservationRecord): Promise<void>;
  find(id: ReservationId): Promise<ReservationRecord | undefined>;
  /** Not yet ended ones, of one project or of all, in order of their grant. */
  live(project: ProjectId | undefined): Promise<readonly ReservationRecord[]>;
  liveOf(project: ProjectId, holder: AgentId): Promise<readonly ReservationRecord[]>;
  setTtl(id: ReservationId, ttlMs: number): Promise<void>;
  end(id: ReservationId, at: number): Promise<void>;
  removeEndedBefore(at: number): Promise<number>;
  /** All that are kept, ended ones too, in order of their grant. */
  kept(query: {
    readonly project: ProjectId | undefined;
    readonly after: string | undefined;
    readonly limit: number;
  }): Promise<readonly ReservationRecord[]>;
  /** Whoever holds or held one that is kept. */
  holders(): Promise<readonly AgentId[]>;
  /** With the project's counter of fencing tokens. */
  removeProject(project: ProjectId): Promise<number>;
  nextFencingToken(project: ProjectId): Promise<number>;
};
