/** Retention: everything that is removed by itself when its lifetime is over (`lifetimes.ts` declares them). */
import type { CatchUpClock, RecentReads } from "../coordination/commits/index.ts";
import { removeOldMail } from "../coordination/mail/index.ts";
import type { Liveness } from "../coordination/registry/index.ts";
import type { HealthTracker } from "../oversight/health/index.ts";
import type { LedgerRepository } from "../oversight/ledger/index.ts";
import type { NoticeRepository } from "../oversight/notify/index.ts";
import { theDaemon } from "../platform/audit/index.ts";
import type { Clock } from "../platform/clock/index.ts";
import type { Settings } from "../platform/config/index.ts";
import type { Store } from "../platform/store/index.ts";
import type { RecordRepositories } from "./data-ports.ts";

type RetentionRepositories = Pick<
  RecordRepositories,
  | "events"
  | "audit"
  | "idempotency"
  | "reservations"
  | "workItems"
  | "agents"
  | "handoffs"
  | "mail"
  | "findings"
  | "fileVersions"
  | "unguardedCalls"
> & { readonly ledger: LedgerRepository; readonly notices: NoticeRepository };
type RetentionPorts = {
  readonly store: Store<RetentionRepositories>;
  readonly clock: Clock;
  readonly health: Pick<HealthTracker, "removeOld">;
  /** What the daemon remembers of each agent; gone with the agent. */
  readonly liveness: Pick<Liveness, "forget">;
  readonly catchUp: Pick<CatchUpClock, "forget">;
  readonly reads: Pick<RecentReads, "forget">;
};
type RetentionSettings = Pick<
  Settings,
  | "events.retentionDays"
  | "events.maxCount"
  | "idempotency.keepHours"
  | "agents.keepGoneDays"
  | "findings.retentionDays"
  | "fileHistory.keepDays"
  | "mail.retentionDays"
  | "mail.importantRetentionDays"
>;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const reservationHistoryMs = 7 * dayMs;
const noticeKeepMs = 30 * dayMs;
const healthKeepMs = 30 * dayMs;
const ledgerKeepMs = 400 * dayMs;

export async function removeOldRecords(ports: RetentionPorts, settings: RetentionSettings): Promise<void> {
  const { store, clock, liveness } = ports;
  const now = clock.now();
  await store.transact("retention", async (tx) => {
    const before = now - settings["events.retentionDays"] * dayMs;
    const removed = await tx.events.truncate(before, settings["events.maxCount"]);
    if (removed > 0)
      await tx.audit.append({
        actor: theDaemon,
        action: "events.removed",
        subject: "events",
        project: undefined,
        details: { removed, before, maxCount: settings["events.maxCount"] },
      });
    await tx.idempotency.removeBefore(now - settings["idempotency.keepHours"] * hourMs);
    await tx.reservations.removeEndedBefore(now - reservationHistoryMs);
    await tx.workItems.removeNoticesBefore(now - noticeKeepMs);
    await tx.notices.removeBefore(now - noticeKeepMs);
    await tx.ledger.removeBefore(now - ledgerKeepMs);
    await tx.unguardedCalls.removeBefore(now - noticeKeepMs);
    await tx.fileVersions.removeBefore(now - settings["fileHistory.keepDays"] * dayMs);
    const compacted = await tx.agents.compactGoneBefore(now - settings["agents.keepGoneDays"] * dayMs);
    await tx.handoffs.remove(compacted);
    await tx.mail.forgetArrangements(compacted);
    tx.afterCommit(() =>
      compacted.forEach((agent) => {
        liveness.forget(agent);
        ports.catchUp.forget(agent);
        ports.reads.forget(agent);
      }),
    );
  });
  await ports.health.removeOld(now - healthKeepMs);
  await removeOldMailAndFindings(ports, settings);
}

/** Mail goes in small transactions of its own: there may be a million of them. */
async function removeOldMailAndFindings(ports: RetentionPorts, settings: RetentionSettings): Promise<void> {
  const { store, clock } = ports;
  await store.transact("retention", (tx) =>
    tx.findings.removeOld(clock.now() - settings["findings.retentionDays"] * dayMs, 1000),
  );
  await removeOldMail(
    {
      retentionDays: settings["mail.retentionDays"],
      importantRetentionDays: settings["mail.importantRetentionDays"],
    },
    ports,
  );
}
