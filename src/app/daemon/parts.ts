/** The values that the files of the composition root share. */
import type { ChildProcess } from "node:child_process";
import type { Examination, LogEvent } from "../../contract/index.ts";
import type { CatchUpClock, RecentReads } from "../../coordination/commits/index.ts";
import type { FileVersionRepository } from "../../coordination/file-history/index.ts";
import type { FindingRepository } from "../../coordination/findings/index.ts";
import type { UnguardedCallRepository } from "../../coordination/guard/index.ts";
import type { HandoffRepository } from "../../coordination/handoff/index.ts";
import type { LeftNews } from "../../coordination/left-processes/index.ts";
import type { DeadlineClock, LeaseClock } from "../../coordination/leases/index.ts";
import type { NoticeRepository } from "../../oversight/notify/index.ts";
import type { MailRepository } from "../../coordination/mail/index.ts";
import type {
  AgentRepository,
  ProjectRepository,
  RegistryPorts,
  TokenRepository,
} from "../../coordination/registry/index.ts";
import type {
  ResolveName,
  RequestClock,
  ReservationRepository,
  WaitLine,
} from "../../coordination/reservations/index.ts";
import type { ImportRepository, ProgressClock, WorkItemRepository } from "../../coordination/work-items/index.ts";
import type { HealthRepository, HealthTracker } from "../../oversight/health/index.ts";
import type { ContextFeed, LedgerRepository } from "../../oversight/ledger/index.ts";
import type { NamedThings } from "../../data/index.ts";
import type { ArchiveMemory, ArchiveRepository } from "../../knowledge/archive/index.ts";
import type { SourceRepository } from "../../knowledge/sources/index.ts";
import type { ApprovalRepository } from "../../orchestration/approvals/index.ts";
import type { GraphRepository } from "../../orchestration/graphs/index.ts";
import type { ProcessRepository } from "../../orchestration/executors/index.ts";
import type { RunRepository } from "../../orchestration/runs/index.ts";
import type { SessionRepository } from "../../orchestration/sessions/index.ts";
import type { AuditRepository } from "../../platform/audit/index.ts";
import type { Bus } from "../../platform/bus/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { Settings, SettingsOfTree } from "../../platform/config/index.ts";
import type { EventRepository } from "../../platform/event-log/index.ts";
import type { HomeHold, HomePaths } from "../../platform/home/index.ts";
import type { FileSink, Log } from "../../platform/log/index.ts";
import type { IdempotencyRepository } from "../../platform/operations/index.ts";
import type { Pool } from "../../platform/pool/index.ts";
import type { Redactor } from "../../platform/redact/index.ts";
import type { Store, StoreCopy } from "../../platform/store/index.ts";

export type DaemonTerms = {
  readonly paths: HomePaths;
  /** Whether the home is still this daemon's; a temporary home always is. */
  readonly hold?: HomeHold;
  readonly settings: Settings;
  /** Settings of a project, whose own file may override the user's. */
  readonly settingsOfTree: SettingsOfTree;
  readonly clock: Clock;
  readonly log: Log;
  /** The log uses the same redactor. It learns the keys of providers. */
  readonly redactor: Redactor;
  /** The reason why the log loses lines, while it does. */
  readonly logTrouble: () => ReturnType<FileSink["trouble"]>;
  readonly startedAt: number;
  /** True for a temporary home, whose store need not wait for the disk. */
  readonly scratch?: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Starts a worker process of this program, with a channel to the daemon. */
  readonly spawnWorker: (env: Readonly<Record<string, string>>) => ChildProcess;
  /** Copies the store in a process of its own, so that the daemon does not wait for it. */
  readonly copyStore: (to: string) => Promise<StoreCopy>;
  /** Runs `sylk doctor` in a folder, in a process of its own. */
  readonly examine: (folder: string | undefined) => Promise<Examination>;
  /** Stops the daemon after the answer is sent. */
  readonly onStop: () => void;
};

export type Repositories = {
  readonly events: EventRepository;
  readonly idempotency: IdempotencyRepository;
  readonly projects: ProjectRepository;
  readonly agents: AgentRepository;
  readonly tokens: TokenRepository;
  readonly reservations: ReservationRepository;
  readonly workItems: WorkItemRepository;
  readonly imports: ImportRepository;
  readonly handoffs: HandoffRepository;
  readonly mail: MailRepository;
  readonly findings: FindingRepository;
  readonly notices: NoticeRepository;
  readonly fileVersions: FileVersionRepository;
  readonly unguardedCalls: UnguardedCallRepository;
  readonly health: HealthRepository;
  readonly ledger: LedgerRepository;
  readonly sessions: SessionRepository;
  readonly runs: RunRepository;
  readonly dags: GraphRepository;
  readonly approvals: ApprovalRepository;
  readonly processes: ProcessRepository;
  readonly archive: ArchiveRepository;
  readonly sources: SourceRepository;
  readonly named: NamedThings;
  readonly audit: AuditRepository;
};

/** The parts that the handlers share. A daemon has one of each. */
export type DaemonParts = Omit<RegistryPorts, "store"> & {
  readonly store: Store<Repositories>;
  readonly bus: Bus<LogEvent>;
  readonly leases: LeaseClock;
  readonly line: WaitLine;
  readonly resolveName?: ResolveName | undefined;
  readonly requests: RequestClock;
  readonly deadlines: DeadlineClock;
  readonly progress: ProgressClock;
  readonly catchUp: CatchUpClock;
  readonly leftNews: LeftNews;
  readonly reads: RecentReads;
  readonly health: HealthTracker;
  /** Hooks around the archive, and its answers that still hold. */
  readonly archiving: ArchiveMemory;
  /** The pool whose slots all work takes. */
  readonly pool: Pool;
  /** Context usage that clients reported. */
  readonly contexts: ContextFeed;
};
