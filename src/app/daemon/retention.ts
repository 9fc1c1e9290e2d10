/** The composition root's part for retention: everything that is removed by itself, in one place. */
import type { Parts } from "./parts.ts";
import { removeOldMail } from "../../coordination/mail/index.ts";
import { theDaemon } from "../../platform/audit/index.ts";
import type { Settings } from "../../platform/config/index.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const reservationHistoryMs = 7 * dayMs;
const noticeKeepMs = 30 * dayMs;
const healthKeepMs = 30 * dayMs;
const ledgerKeepMs = 400 * dayMs;

export async function removeOld(parts: Parts, settings: Settings): Promise<void> {
  const { store, clock, liveness } = parts;
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
    await tx.ledger.removeBefore(now - ledgerKeepMs);
    const compacted = await tx.agents.compactGoneBefore(now - settings["agents.keepGoneDays"] * dayMs);
    await tx.handoffs.remove(compacted);
    await tx.mail.forgetArrangements(compacted);
    tx.afterCommit(() =>
      compacted.forEach((agent) => {
        liveness.forget(agent);
        parts.catchUp.forget(agent);
        parts.reads.forget(agent);
      }),
    );
  });
  await parts.health.removeOld(now - healthKeepMs);
  await removeOldMailAndFindings(parts, settings);
}

/** Mail goes in small transactions of its own: there may be a million of them. */
async function removeOldMailAndFindings(parts: Parts, settings: Settings): Promise<void> {
  const { store, clock } = parts;
  await store.transact("retention", (tx) =>
    tx.findings.removeOld(clock.now() - settings["findings.retentionDays"] * dayMs, 1000),
  );
  await removeOldMail(
    {
      retentionDays: settings["mail.retentionDays"],
      importantRetentionDays: settings["mail.importantRetentionDays"],
    },
    parts,
  );
}
