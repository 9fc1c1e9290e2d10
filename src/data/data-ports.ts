/** The ports of export, forget and purge: every repository that keeps records. */
import type { Project } from "../contract/index.ts";
import type { FileHistory, FileVersionRepository } from "../coordination/file-history/index.ts";
import type { FindingRepository } from "../coordination/findings/index.ts";
import type { UnguardedCallRepository } from "../coordination/guard/index.ts";
import type { HandoffRepository } from "../coordination/handoff/index.ts";
import type { LeaseClock } from "../coordination/leases/index.ts";
import type { MailRepository } from "../coordination/mail/index.ts";
import type { AgentRepository, Liveness, ProjectRepository } from "../coordination/registry/index.ts";
import type { ReservationRepository } from "../coordination/reservations/index.ts";
import type { WorkItemRepository } from "../coordination/work-items/index.ts";
import type { ArchiveRepository } from "../knowledge/archive/index.ts";
import type { SourceRepository } from "../knowledge/sources/index.ts";
import type { HealthRepository, HealthTracker } from "../oversight/health/index.ts";
import type { AuditRepository } from "../platform/audit/index.ts";
import type { Clock } from "../platform/clock/index.ts";
import type { EventRepository } from "../platform/event-log/index.ts";
import type { IdempotencyRepository } from "../platform/operations/index.ts";
import type { NamedThings } from "./named-things.sqlite.ts";
import type { Store, Transaction } from "../platform/store/index.ts";
import type { ApprovalRepository } from "../orchestration/approvals/index.ts";
import type { GraphRepository } from "../orchestration/graphs/index.ts";
import type { RunRepository } from "../orchestration/runs/index.ts";
import type { SessionRepository, WorkspacePort } from "../orchestration/sessions/index.ts";

export type RecordRepositories = {
  readonly events: EventRepository;
  readonly idempotency: IdempotencyRepository;
  readonly projects: ProjectRepository;
  readonly agents: AgentRepository;
  readonly reservations: ReservationRepository;
  readonly workItems: WorkItemRepository;
  readonly mail: MailRepository;
  readonly findings: FindingRepository;
  readonly fileVersions: FileVersionRepository;
  readonly unguardedCalls: UnguardedCallRepository;
  readonly handoffs: HandoffRepository;
  readonly health: HealthRepository;
  readonly runs: RunRepository;
  readonly sessions: SessionRepository;
  readonly approvals: ApprovalRepository;
  readonly dags: GraphRepository;
  readonly archive: ArchiveRepository;
  readonly sources: SourceRepository;
  readonly audit: AuditRepository;
  readonly named: NamedThings;
};
export type RecordPorts = {
  readonly store: Store<RecordRepositories>;
  readonly clock: Clock;
  readonly liveness: Liveness;
  readonly leases: LeaseClock;
  readonly health: Pick<HealthTracker, "forget">;
  readonly workspaces: Pick<WorkspacePort, "quarantine">;
  /** Versions that were seen and are not written yet, and contents on the disk that no version needs any more. */
  readonly fileHistory: Pick<FileHistory, "alone" | "forget" | "sweep">;
  /** Files with words of the project's code: its index and imported SCIP indexes. */
  readonly codeIndex: { forget(project: Project): Promise<void> };
};
export type Tx = RecordRepositories & Transaction;
