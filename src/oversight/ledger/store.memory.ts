/** A ledger for one answer: where no daemon keeps one, everything is read anew. */
import type { LedgerRepository, Source } from "./store.ts";
import { preferred, type UsageRecord } from "./usage-record.ts";

export function memoryLedger(): LedgerRepository {
  const usage = new Map<string, UsageRecord>();
  const sources = new Map<string, Source>();
  return {
    async put(records) {
      for (const record of records) {
        const kept = usage.get(record.key);
        usage.set(record.key, kept === undefined ? record : preferred(kept, record));
      }
    },
    sources: async () => [...sources.values()],
    setSource: async (source) => void sources.set(source.source, source),
    async *pages({ since, size }) {
      const records = [...usage.values()].filter(({ at }) => since === undefined || (at !== undefined && at >= since));
      for (let start = 0; start < records.length; start += size) yield records.slice(start, start + size);
    },
    async removeBefore(before) {
      for (const [key, { at }] of usage) if (at !== undefined && at < before) usage.delete(key);
    },
  };
}
