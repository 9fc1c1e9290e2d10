/** Connects the audit: the table of acts, and the file that keeps the end of the chain. */
import { type AuditRepository, createHeadKeeper, sqliteAudit } from "../../platform/audit/index.ts";
import type { Sql } from "../../platform/store/index.ts";
import { auditHeadFile } from "./oversight.ts";
import type { DaemonParts, DaemonTerms } from "./parts.ts";

export type Audit = {
  readonly repository: (sql: Sql) => AuditRepository;
  /** Call this before any audited act. */
  start(parts: Pick<DaemonParts, "store">): Promise<void>;
};

export function composeAudit({ paths, clock, redactor, log }: DaemonTerms): Audit {
  const keeper = createHeadKeeper({
    file: auditHeadFile(paths),
    onBroken: (facts) => void log.error("audit.broken", { ...facts, fix: '"sylk audit verify" tells what to do' }),
    onRebuilt: (facts) => log.warn("audit.head-rebuilt", facts),
    onUnwritten: (error) => log.warn("audit.head-unwritten", { error }),
  });
  return {
    repository: sqliteAudit({ clock, clean: redactor.value, onAppended: keeper.advance }),
    start: ({ store }) => keeper.start(store),
  };
}
