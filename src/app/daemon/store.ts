/** Opens the daemon's store with the tables of every folder, and publishes each logged event on the bus. */
import { sqliteFileVersions } from "../../coordination/file-history/index.ts";
import { sqliteFindings } from "../../coordination/findings/index.ts";
import { sqliteUnguardedCalls } from "../../coordination/guard/index.ts";
import { sqliteHandoffs } from "../../coordination/handoff/index.ts";
import { sqliteMail } from "../../coordination/mail/index.ts";
import { sqliteAgents, sqliteProjects, sqliteTokens } from "../../coordination/registry/index.ts";
import { sqliteReservations } from "../../coordination/reservations/index.ts";
import { sqliteImports, sqliteWorkItems } from "../../coordination/work-items/index.ts";
import { sqliteArchive } from "../../knowledge/archive/index.ts";
import { sqliteSources } from "../../knowledge/sources/index.ts";
import { sqliteNotices } from "../../oversight/notify/index.ts";
import { sqliteHealth } from "../../oversight/health/index.ts";
import { sqliteLedger } from "../../oversight/ledger/index.ts";
import { sqliteApprovals } from "../../orchestration/approvals/index.ts";
import { sqliteDags } from "../../orchestration/graphs/index.ts";
import { sqliteProcesses } from "../../orchestration/executors/index.ts";
import { sqliteRuns } from "../../orchestration/runs/index.ts";
import { sqliteSessions } from "../../orchestration/sessions/index.ts";
import { sqliteNamedThings } from "../../data/index.ts";
import type { Audit } from "./audit.ts";
import type { DaemonParts, Repositories, DaemonTerms } from "./parts.ts";
import { sqliteEvents } from "../../platform/event-log/index.ts";
import { sqliteIdempotency } from "../../platform/operations/index.ts";
import { openSqliteStore, readMigrations, type Store } from "../../platform/store/index.ts";

export function composeStore(
  { paths, hold, clock, log, scratch }: DaemonTerms,
  { ids, bus, archiving }: Pick<DaemonParts, "ids" | "bus" | "archiving">,
  audit: Audit,
): Store<Repositories> {
  return openSqliteStore({
    file: paths.database,
    migrations: readMigrations(),
    repositories: {
      events: sqliteEvents({ clock, ids, onAppended: (event) => void bus.publish(`event.${event.type}`, event) }),
      idempotency: sqliteIdempotency,
      projects: sqliteProjects,
      agents: sqliteAgents,
      tokens: sqliteTokens,
      reservations: sqliteReservations,
      workItems: sqliteWorkItems,
      imports: sqliteImports,
      handoffs: sqliteHandoffs,
      mail: sqliteMail,
      findings: sqliteFindings,
      fileVersions: sqliteFileVersions,
      unguardedCalls: sqliteUnguardedCalls,
      notices: sqliteNotices,
      health: sqliteHealth,
      ledger: sqliteLedger,
      sessions: sqliteSessions,
      runs: sqliteRuns,
      dags: sqliteDags,
      approvals: sqliteApprovals,
      processes: sqliteProcesses,
      archive: (sql) => sqliteArchive(sql, archiving.hooks.postStore),
      sources: sqliteSources,
      named: sqliteNamedThings,
      audit: audit.repository,
    },
    clock,
    durable: scratch !== true,
    ...(hold === undefined ? {} : { checkOwner: hold.check }),
    onUpgrade: (step, facts) => log.info(`store.${step}`, facts),
    onDefect: (error) => void log.error("store.effect-failed", { error }),
  });
}
