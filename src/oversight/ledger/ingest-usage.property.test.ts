import * as fc from "fast-check";
import { expect, it } from "vitest";
import { claudeCodeReader } from "../../adapters/claude-code/index.ts";
import { memoryLedger } from "./store.memory.ts";
import type { LedgerRepository } from "./store.ts";
import { ingestUsage } from "./ingest-usage.ts";
import { type Answer, answers, claudeLine, memoryFiles, type MemoryFiles, noise, recordsIn } from "./testkit.ts";
import type { UsageRecord } from "./usage-record.ts";

const intake = (ledger: LedgerRepository, transcripts: MemoryFiles) =>
  ingestUsage({
    reader: ledger,
    change: (work) => work(ledger),
    transcripts,
    others: [],
    now: () => 1,
    onFailed: (_, error) => {
      throw error;
    },
  });

/** The slow way: every byte of every file, a plain loop, no keys but the provider's own. */
function oracle(texts: readonly string[]): Record<string, number> {
  const seen: { id: string; request: unknown; usage: Record<string, number>; model: string }[] = [];
  for (const line of texts.flatMap((text) => text.split("\n").slice(0, -1))) {
    let row: {
      type?: unknown;
      requestId?: unknown;
      message?: { id: string; model: string; usage?: Record<string, number> };
    };
    try {
      row = JSON.parse(line) as typeof row;
    } catch {
      continue;
    }
    if (row?.type !== "assistant" || !row.message?.usage || row.message.model === "<synthetic>") continue;
    const { id, model, usage } = row.message;
    const twin = seen.find((one) => one.id === id && one.request === row.requestId);
    if (twin === undefined) seen.push({ id, request: row.requestId, usage, model });
    else if (usage.output_tokens! > twin.usage.output_tokens!) twin.usage = usage;
  }
  const sums: Record<string, number> = {};
  for (const { model, usage } of seen)
    for (const [name, tokens] of Object.entries(usage))
      sums[`${model} ${name}`] = (sums[`${model} ${name}`] ?? 0) + tokens;
  return sums;
}

function sumsOf(records: readonly UsageRecord[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const record of records)
    for (const [name, tokens] of [
      ["input_tokens", record.input],
      ["output_tokens", record.output],
      ["cache_read_input_tokens", record.cacheRead],
      ["cache_creation_input_tokens", record.cacheWrite],
    ] as const)
      sums[`${record.model} ${name}`] = (sums[`${record.model} ${name}`] ?? 0) + tokens!;
  return sums;
}

/** Streamed several times, copied into the files of resumed sessions, between noise. */
const transcripts = answers.chain((all) =>
  fc
    .array(
      fc.array(fc.oneof({ weight: 3, arbitrary: linesOf(all) }, { weight: 1, arbitrary: noise }), { maxLength: 30 }),
      { minLength: 1, maxLength: 4 },
    )
    .map((files) => files.map((lines) => lines.map((line) => `${line}\n`).join(""))),
);

function linesOf(all: readonly Answer[]): fc.Arbitrary<string> {
  if (all.length === 0) return fc.constant("{}");
  return fc
    .tuple(fc.constantFrom(...all), fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean())
    .map(([answer, share, whole]) => claudeLine(answer, whole ? answer.output : Math.floor(answer.output * share)));
}

it("counts what an independent slow count does: duplicates, streams, resumes, gateways, garbage [COST-1]", async () => {
  await fc.assert(
    fc.asyncProperty(transcripts, async (texts) => {
      const files = memoryFiles(claudeCodeReader);
      texts.forEach((text, index) => files.files.set(`f${index}`, { text, inode: index }));
      const ledger = memoryLedger();
      await intake(ledger, files);
      expect(sumsOf(await recordsIn(ledger))).toEqual(oracle(texts));
    }),
  );
});

it("counts the same however the files grew, were cut, truncated or rotated in between [COST-1]", async () => {
  const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(transcripts, cuts, fc.boolean(), async (texts, shares, rotates) => {
      const files = memoryFiles(claudeCodeReader);
      const ledger = memoryLedger();
      for (const share of [...shares.toSorted((a, b) => a - b), 1]) {
        texts.forEach((text, index) => {
          const bytes = Buffer.from(text);
          // In the middle of a line, and of a character.
          files.files.set(`f${index}`, {
            text: bytes.toString("latin1", 0, Math.floor(bytes.length * share)),
            inode: index,
          });
        });
        if (share < 1) await intake(ledger, files);
      }
      texts.forEach((text, index) => files.files.set(`f${index}`, { text, inode: index }));
      await intake(ledger, files);
      if (rotates) {
        const [first] = texts;
        files.files.set("f0", { text: `${claudeLine(newAnswer)}\n`, inode: 99 });
        files.files.set("f0.1", { text: first!, inode: 0 });
        await intake(ledger, files);
      }
      const expected = rotates ? [...texts, `${claudeLine(newAnswer)}\n`] : texts;
      expect(sumsOf(await recordsIn(ledger))).toEqual(oracle(expected));
    }),
  );
});

const newAnswer: Answer = {
  id: "msg-new",
  request: "after-rotation",
  session: "s-new",
  model: "model-a",
  at: 1_762_000_000_000,
  input: 1,
  output: 2,
  cacheRead: 3,
  cacheWrite: 4,
};

it("gives a resumed session's copy of a call to the session that made it, whichever file is read first [COST-1]", async () => {
  for (const order of [
    ["a", "b"],
    ["b", "a"],
  ]) {
    const files = memoryFiles(claudeCodeReader);
    for (const name of order)
      files.files.set(name, {
        text: `${claudeLine({ ...newAnswer, session: name, at: newAnswer.at + (name === "b" ? 5_000 : 0) })}\n`,
        inode: 1,
      });
    const ledger = memoryLedger();
    await intake(ledger, files);
    expect((await recordsIn(ledger)).map(({ session }) => session)).toEqual(["a"]);
  }
});

it("names a file that cannot be read, and reads the others all the same", async () => {
  const files = memoryFiles(claudeCodeReader);
  files.files.set("bad", { text: "x\n", inode: 1 });
  files.files.set("good", { text: `${claudeLine(newAnswer)}\n`, inode: 2 });
  const ledger = memoryLedger();
  const failed: string[] = [];
  await ingestUsage({
    reader: ledger,
    change: (work) => work(ledger),
    transcripts: {
      ...files,
      open: (path) => (path === "bad" ? Promise.reject(new Error("EACCES")) : files.open(path)),
    },
    others: [],
    now: () => 1,
    onFailed: (source) => failed.push(source),
  });
  expect(failed).toEqual(["bad"]);
  expect(await recordsIn(ledger)).toHaveLength(1);
});
