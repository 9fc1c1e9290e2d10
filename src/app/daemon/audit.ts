/** The composition root's part for privileged acts: where they are written, what keeps their end, who may look. */
import { join } from "node:path";
import type { Parts, Repositories, Terms } from "./parts.ts";
import {
  type AuditRepository,
  createHeadKeeper,
  listAudit,
  sqliteAudit,
  theDaemon,
  verifyAudit,
} from "../../platform/audit/index.ts";
import type { OperationHandlers } from "../../platform/operations/index.ts";
import type { Sql } from "../../platform/store/index.ts";
import { hashToken } from "../../platform/tokens.ts";

export type AuditOperation = "audit.list" | "audit.verify";

export type Audit = {
  readonly repository: (sql: Sql) => AuditRepository;
  /** Before anything is done that belongs into it. */
  start(parts: Pick<Parts, "store">): Promise<void>;
};

export function composeAudit({ paths, clock, redactor, log }: Terms): Audit {
  const keeper = createHeadKeeper({
    file: headFile(paths),
    onBroken: (facts) => void log.error("audit.broken", { ...facts, fix: '"sylk audit verify" tells what to do' }),
    onRebuilt: (facts) => log.warn("audit.head-rebuilt", facts),
    onUnwritten: (error) => log.warn("audit.head-unwritten", { error }),
  });
  return {
    repository: sqliteAudit({ clock, clean: redactor.value, onAppended: keeper.advance }),
    start: ({ store }) => keeper.start(store),
  };
}

export function auditHandlers({ store }: Parts, { paths }: Terms): OperationHandlers<Repositories, AuditOperation> {
  const { audit } = store.reader;
  return {
    "audit.list": (input) => listAudit(input, audit),
    "audit.verify": (input) => verifyAudit(input, { audit, headFile: headFile(paths) }),
  };
}

function headFile({ home }: Terms["paths"]): string {
  return join(home, "audit-head");
}

/** Makes this the user's only token; a token that is known already changes nothing. */
export function trustUserToken(token: string, { store, clock }: Parts): Promise<void> {
  return store.transact("tokens", async (tx) => {
    const hash = hashToken(token);
    if ((await tx.tokens.find(hash)) !== undefined) return;
    await tx.tokens.revokeAllOf(undefined);
    await tx.tokens.issue(hash, undefined, clock.now());
    await tx.audit.append({ actor: theDaemon, action: "user-token.trusted", subject: "user", project: undefined });
  });
}
