/** The audit, connected: where acts are written, and what keeps the chain's end. */
import { type AuditRepository, createHeadKeeper, sqliteAudit } from "../../platform/audit/index.ts";
import type { Sql } from "../../platform/store/index.ts";
import { auditHeadFile } from "./oversight.ts";
import type { Parts, Terms } from "./parts.ts";

export type Audit = {
  readonly repository: (sql: Sql) => AuditRepository;
  /** Before anything is done that belongs into it. */
  start(parts: Pick<Parts, "store">): Promise<void>;
};

export function composeAudit({ paths, clock, redactor, log }: Terms): Audit {
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
