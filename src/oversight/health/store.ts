/** The tables of health, as a port: counters, the last hour's failures, incidents, and how far a file was read. */
import type { Incident, IncidentId, ProjectId } from "../../contract/index.ts";
import type { Counters } from "./counters.ts";
import type { Failure, OpenIncident } from "./decide-incidents.ts";

export type IncidentRecord = OpenIncident & {
  readonly id: IncidentId;
  readonly resolvedAt: number | undefined;
  readonly resolution: Incident["resolution"];
  readonly resolvedWhy: string | undefined;
};
/** A file of outcomes and how many of its bytes have been counted. */
export type IntakeMark = { readonly file: string; readonly bytes: number };

export type HealthRepository = {
  components(): Promise<readonly Counters[]>;
  setComponent(counters: Counters): Promise<void>;
  failuresSince(at: number): Promise<readonly Failure[]>;
  /** And forgets those before a time. */
  addFailures(failures: readonly Failure[], forgetBefore: number): Promise<void>;
  openIncidents(): Promise<readonly IncidentRecord[]>;
  /** One that is resolved stays as it is. */
  setIncident(record: IncidentRecord): Promise<void>;
  findIncident(id: IncidentId): Promise<IncidentRecord | undefined>;
  /** Newest first. */
  listIncidents(query: {
    readonly all: boolean;
    readonly before: string | undefined;
    readonly limit: number;
  }): Promise<readonly IncidentRecord[]>;
  intakeOf(file: string): Promise<number | undefined>;
  setIntake(mark: IntakeMark, at: number): Promise<void>;
  removeIntake(file: string): Promise<void>;
  /** Components without a report since, incidents that are over since, failures that are too old to matter. */
  removeOld(before: number, failuresBefore: number): Promise<void>;
  removeProject(project: ProjectId): Promise<void>;
};
