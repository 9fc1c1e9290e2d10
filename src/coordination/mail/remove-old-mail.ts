/**
 * Mail's lifetime: removed after the retention time, in small transactions, so that no call waits long for the writer.
 * Important mail (high, urgent, or to be acknowledged) that a receiver has not read or acknowledged stays until its own,
 * longer limit.
 */
import type { Store } from "../../platform/store/index.ts";
import type { MailPorts, MailRepositories } from "./ports.ts";

const dayMs = 86_400_000;
const perTransaction = 500;

export async function removeOldMail(
  {
    retentionDays,
    importantRetentionDays,
  }: { readonly retentionDays: number; readonly importantRetentionDays: number },
  { store, clock }: Pick<MailPorts, "clock"> & { readonly store: Store<Pick<MailRepositories, "mail">> },
): Promise<number> {
  const now = clock.now();
  const limits = {
    before: now - retentionDays * dayMs,
    importantBefore: now - Math.max(retentionDays, importantRetentionDays) * dayMs,
    most: perTransaction,
  };
  let total = 0;
  for (;;) {
    const removed = await store.transact("retention", (tx) => tx.mail.removeOld(limits));
    total += removed;
    if (removed < perTransaction) return total;
  }
}
