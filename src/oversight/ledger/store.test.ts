/** The ledger's two stores behave alike; the real one is a SQLite file. */
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { claudeCodeReader } from "../../adapters/claude-code/index.ts";
import { openSqliteStore } from "../../platform/store/index.ts";
import { migratedFile, scratchFolder } from "../../platform/store/testkit.ts";
import { showLedger } from "./show-ledger.ts";
import { memoryLedger } from "./store.memory.ts";
import { sqliteLedger } from "./store.sqlite.ts";
import type { LedgerRepository } from "./store.ts";
import { ingestUsage } from "./ingest-usage.ts";
import { answers, claudeLine, memoryFiles, recordsIn } from "./testkit.ts";
import type { UsageRecord } from "./usage-record.ts";

const maybe = fc.option(fc.nat({ max: 9 }), { nil: undefined });
const records: fc.Arbitrary<readonly UsageRecord[]> = fc.array(
  fc.record({
    key: fc.constantFrom("a", "b", "c", "d"),
    client: fc.constantFrom("claude-code", "codex"),
    session: fc.constantFrom("s1", "s2"),
    agent: fc.constantFrom(undefined, "sub"),
    role: fc.constantFrom(undefined, "engineer"),
    node: fc.constantFrom(undefined, "nod_1"),
    model: fc.constantFrom(undefined, "m1", "m2"),
    at: fc.constantFrom(undefined, 1_000, 90_000_000),
    input: maybe,
    output: maybe,
    cacheRead: maybe,
    cacheWrite: maybe,
    cacheWriteLong: fc.constant(undefined),
    context: maybe,
  }),
  { maxLength: 12 },
);

function open(): Disposable & {
  change(work: (ledger: LedgerRepository) => Promise<void>): Promise<void>;
  reader: LedgerRepository;
} {
  const folder = scratchFolder();
  const store = openSqliteStore({
    ...migratedFile(join(folder.path, "sylk.db")),
    repositories: { ledger: sqliteLedger },
    onDefect: (error) => {
      throw error;
    },
  });
  return {
    reader: store.reader.ledger,
    change: (work) => store.transact("ledger", (tx) => work(tx.ledger)),
    [Symbol.dispose]() {
      store.close();
      folder[Symbol.dispose]();
    },
  };
}

const report = (reader: LedgerRepository, by: "model" | "day" | "session" | "agent" | "role" | "node") =>
  showLedger(
    { by, limit: 50 },
    { reader, prices: [], workItemOf: () => undefined, missing: [], pause: () => Promise.resolve() },
  );

it("adds up alike in memory and in SQLite, in whichever order calls were found [COST-1, COST-2]", async () => {
  await fc.assert(
    fc.asyncProperty(records, fc.constantFrom("model", "day", "session", "agent", "role", "node"), async (all, by) => {
      using sqlite = open();
      const memory = memoryLedger();
      await sqlite.change((ledger) => ledger.put(all));
      await memory.put(all.toReversed());
      expect(await report(sqlite.reader, by)).toEqual(await report(memory, by));
    }),
    { numRuns: 5, endOnFailure: true },
  );
});

it("gives every call from a time on once, however small the pages are [COST-1]", async () => {
  await fc.assert(
    fc.asyncProperty(
      records,
      fc.constantFrom(undefined, 0, 1_000, 1_001),
      fc.nat({ max: 3 }),
      async (all, since, more) => {
        using sqlite = open();
        const memory = memoryLedger();
        await sqlite.change((ledger) => ledger.put(all));
        await memory.put(all);
        const keys = async (ledger: LedgerRepository) =>
          (await recordsIn(ledger, { since, size: 1 + more })).map(({ key }) => key).toSorted();
        expect(await keys(sqlite.reader)).toEqual(await keys(memory));
      },
    ),
    { numRuns: 5, endOnFailure: true },
  );
});

it("keeps the same record of a call in whichever order it is found [COST-1]", async () => {
  await fc.assert(
    fc.asyncProperty(records, async (all) => {
      const [forth, back] = [memoryLedger(), memoryLedger()];
      await forth.put(all);
      await back.put(all.toReversed());
      expect(await report(forth, "agent")).toEqual(await report(back, "agent"));
    }),
  );
});

describe("a report", () => {
  it("keeps the meters apart and says what it does not know [COST-2]", async () => {
    const memory = memoryLedger();
    const one: UsageRecord = {
      key: "a",
      client: "claude-code",
      session: "s",
      agent: undefined,
      model: "m",
      at: 1,
      input: 10,
      output: undefined,
      cacheRead: 5,
      cacheWrite: 0,
      cacheWriteLong: undefined,
      context: 900,
    };
    await memory.put([one, { ...one, key: "b", at: 2, input: undefined, context: 300 }]);
    const { items, total } = await report(memory, "model");
    expect(items).toEqual([{ ...total, name: "m" }]);
    expect(total).toMatchObject({
      calls: 2,
      input: 10,
      output: null,
      cacheRead: 10,
      unknown: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
      context: { peak: 900, last: 300 },
      usd: null,
      unpriced: 2,
    });
  });
});

it("reads on where it stopped, also after a kill between two steps [COST-1]", async () => {
  await fc.assert(
    fc.asyncProperty(answers, async (all) => {
      using sqlite = open();
      const files = memoryFiles(claudeCodeReader);
      const froms: number[] = [];
      const transcripts = {
        ...files,
        open: async (path: string) => {
          const opened = await files.open(path);
          return {
            ...opened,
            blocks: (from: number, marks: readonly string[]) => {
              froms.push(from);
              return opened.blocks(from, marks);
            },
          };
        },
      };
      const text = all.map((answer) => `${claudeLine(answer)}\n`).join("");
      files.files.set("f", { text, inode: 1 });
      let killed = true;
      const ports = {
        reader: sqlite.reader,
        transcripts,
        others: [],
        now: () => 1,
        onFailed: () => {},
        change: (work: (ledger: LedgerRepository) => Promise<void>) =>
          killed ? Promise.reject(new Error("killed")) : sqlite.change(work),
      };
      await ingestUsage(ports).catch(() => {});
      killed = false;
      await ingestUsage(ports);
      const counted = async () => (await report(sqlite.reader, "model")).total.calls;
      expect(await counted()).toBe(all.length);
      if (text === "") return;
      files.files.set("f", { text: `${text}${claudeLine({ ...all[0]!, id: "later" })}\n`, inode: 1 });
      await ingestUsage(ports);
      expect(froms.at(-1)).toBe(Buffer.byteLength(text));
      expect(await counted()).toBe(all.length + 1);
    }),
    { numRuns: 4, endOnFailure: true },
  );
});
