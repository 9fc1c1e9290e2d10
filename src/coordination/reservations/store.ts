/** The tables of reservations, as a port. */
import type { AgentId, ProjectId, ReleaseRequest, Reservation, ReservationId } from "../../contract/index.ts";
import type { Place } from "./places.ts";

/** A fencing token, and how many of its reservation's paths and patterns it was issued for: more are added at the end. */
export type IssuedToken = { readonly token: number; readonly paths: number; readonly patterns: number };

/** A reservation without its projected end, which only the lease clock knows. */
export type ReservationRecord = Omit<Reservation, "expiresAt"> & {
  readonly project: ProjectId;
  /** Those of its grant and of every widening since; `fencingToken` is the newest. */
  readonly tokens: readonly IssuedToken[];
  /** How long its holder had waited for it, over its grant and widenings. */
  readonly waitedMs: number;
  /** How often it was taken back in grace. */
  readonly takenBack: number;
  readonly endedAt: number | undefined;
  readonly endedBy: "release" | "expiry" | undefined;
};

export type StatsQuery = { readonly project: ProjectId; readonly since: number };
export type PathStats = {
  readonly path: string;
  readonly grants: number;
  readonly handOvers: number;
  readonly backAndForth: number;
  readonly waitedMs: number;
  readonly givenUp: number;
  readonly graceHits: number;
};

export type Near = Place & { readonly record: ReservationRecord; readonly position: number };
/** `after` is the last entry of the page before. */
export type NearPage = { readonly after: Near | undefined; readonly limit: number };

/** A request without its projected time limit, which only this daemon's clock knows. */
export type RequestRecord = Omit<ReleaseRequest, "mayForceAt"> & { readonly etaMs: number | undefined };

/** The paths of a reservation, and its holder. */
export type HeldPaths = Pick<ReservationRecord, "paths" | "patterns"> & { readonly holder: AgentId };

export type ReservationRepository = {
  insert(record: ReservationRecord): Promise<void>;
  find(id: ReservationId): Promise<ReservationRecord | undefined>;
  /** Not yet ended ones, of one project or of all, in order of their grant. */
  live(project: ProjectId | undefined): Promise<readonly ReservationRecord[]>;
  liveOf(project: ProjectId, holder: AgentId): Promise<readonly ReservationRecord[]>;
  /** All that are kept of one holder, ended ones too. */
  grantsOf(project: ProjectId, holder: AgentId): Promise<readonly ReservationRecord[]>;
  /** Granted or widened after a token, ended ones too, the newest first; only such as may cover the path. */
  grantsAfter(project: ProjectId, token: number, path: string): Promise<readonly ReservationRecord[]>;
  /** Paths and patterns of live ones that stand at a place, or anywhere below a folder; one entry for each. */
  at(project: ProjectId, place: string, page: NearPage): Promise<readonly Near[]>;
  below(project: ProjectId, folder: string, page: NearPage): Promise<readonly Near[]>;
  /** Writes paths, patterns, mode, scope, time limit, reason and tokens anew; also of one that had ended. */
  widen(record: ReservationRecord): Promise<void>;
  end(id: ReservationId, at: number, by: "release" | "expiry"): Promise<void>;
  /** Of others than the holder, with a newer token: granted and over again since then. */
  endedSince(
    at: number,
    than: Pick<ReservationRecord, "project" | "holder" | "fencingToken">,
  ): Promise<readonly ReservationRecord[]>;
  /** Asks again when the requester has asked before. */
  saveRequest(request: RequestRecord): Promise<void>;
  requestsFor(id: ReservationId): Promise<readonly RequestRecord[]>;
  /** Those that are not over, for live reservations, the oldest first. */
  openRequests(project: ProjectId | undefined): Promise<readonly RequestRecord[]>;
  /** Unanswered ones for live reservations of persons, the oldest first. */
  askedOfPersons(project: ProjectId | undefined): Promise<readonly RequestRecord[]>;
  /** Live ones, and those that ended since then: those that name one of the paths, and all that have patterns. */
  heldSince(project: ProjectId, at: number, paths: readonly string[]): Promise<readonly HeldPaths[]>;
  stats(query: StatsQuery): Promise<readonly PathStats[]>;
  /** A wait that ended without a grant. */
  addLostWait(wait: {
    readonly project: ProjectId;
    readonly paths: readonly string[];
    readonly waitedMs: number;
    readonly at: number;
  }): Promise<void>;
  removeEndedBefore(at: number): Promise<number>;
  /** All that are kept, ended ones too, in order of their grant. */
  kept(query: {
    readonly project: ProjectId | undefined;
    readonly after: string | undefined;
    readonly limit: number;
  }): Promise<readonly ReservationRecord[]>;
  /** Agents that hold or held a reservation that is still kept. */
  holders(): Promise<readonly AgentId[]>;
  /** With the project's counter of fencing tokens. */
  removeProject(project: ProjectId): Promise<number>;
  nextFencingToken(project: ProjectId): Promise<number>;
};
