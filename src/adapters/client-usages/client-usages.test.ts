import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { type LedgerRepository, memoryLedger, ingestUsage } from "../../oversight/ledger/index.ts";
import { recordsIn } from "../../oversight/ledger/testkit.ts";
import { scratchFolder } from "../../platform/store/testkit.ts";
import { usageSources } from "../transcripts/index.ts";
import { clientUsages } from "./client-usages.ts";

const answer = (id: string, output: number, more = "") =>
  `${JSON.stringify({ type: "assistant", message: { id, model: "m", more, usage: { input_tokens: 1, output_tokens: output } } })}\n`;

function world() {
  const folder = scratchFolder();
  const places = {
    claudeCode: join(folder.path, ".claude", "projects"),
    codex: join(folder.path, ".codex", "sessions"),
    gemini: join(folder.path, ".gemini", "tmp"),
    opencode: join(folder.path, ".local", "share", "opencode", "opencode.db"),
  };
  const ledger = memoryLedger();
  const failed: string[] = [];
  return {
    folder,
    places,
    ledger,
    failed,
    write(path: string, text: string) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    },
    read: () =>
      ingestUsage({
        reader: ledger,
        change: (work) => work(ledger),
        ...usageSources(clientUsages, { HOME: folder.path }),
        now: () => 1,
        onFailed: (source) => failed.push(source),
      }),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

async function calls(ledger: LedgerRepository) {
  const records = await recordsIn(ledger);
  // In which order a folder lists its files is its own business.
  return records
    .map(({ client, session, agent, output }) => [client, session, agent, output] as const)
    .toSorted((one, other) => one.join().localeCompare(other.join()));
}

it("finds every client's records where the client keeps them, and nothing where there are none [COST-1]", async () => {
  using here = world();
  await here.read();
  expect(await calls(here.ledger)).toEqual([]);
  const { claudeCode, codex, gemini, opencode } = here.places;
  here.write(join(claudeCode, "-shop", "s1.jsonl"), answer("a", 2));
  here.write(join(claudeCode, "-shop", "s1", "subagents", "agent-7.jsonl"), answer("b", 3));
  here.write(join(claudeCode, "-shop", "notes.txt"), answer("c", 99));
  const info = { last_token_usage: { input_tokens: 1, output_tokens: 4 } };
  const counted = { timestamp: "2026-01-01T00:00:00Z", payload: { type: "token_count", info } };
  here.write(join(codex, "2026", "01", "01", "rollout-1.jsonl"), `${JSON.stringify(counted)}\n`);
  const turn = { id: "m", tokens: { input: 1, output: 5, cached: 0 } };
  here.write(join(gemini, "shop", "chats", "session-1.jsonl"), `${JSON.stringify(turn)}\n`);
  mkdirSync(dirname(opencode), { recursive: true });
  const database = new Database(opencode);
  database.exec(
    "CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT)",
  );
  const tokens = { input: 1, output: 6, reasoning: 0, cache: { read: 0, write: 0 } };
  const insert = database.prepare("INSERT INTO message VALUES (?, 's5', 1, ?, ?)");
  insert.run("m1", 10, JSON.stringify({ role: "assistant", tokens }));
  await here.read();
  insert.run("m2", 10, JSON.stringify({ role: "assistant", tokens: { ...tokens, output: 7 } }));
  database.close();
  await here.read();
  expect(here.failed).toEqual([]);
  expect(await calls(here.ledger)).toEqual([
    ["claude-code", "s1", undefined, 2],
    ["claude-code", "s1", "7", 3],
    ["codex", "rollout-1", undefined, 4],
    ["gemini", "session-1", undefined, 5],
    ["opencode", "s5", undefined, 6],
    ["opencode", "s5", undefined, 7],
  ]);
});

it("waits for the end of a cut line, takes long lines, and begins anew with another file of that name [COST-1]", async () => {
  using here = world();
  const file = join(here.places.claudeCode, "-shop", "s1.jsonl");
  const [cut, rest] = [answer("b", 3).slice(0, 30), answer("b", 3).slice(30)];
  here.write(file, answer("a", 2, "x".repeat(3_000_000)) + cut);
  await here.read();
  expect(await calls(here.ledger)).toHaveLength(1);
  appendFileSync(file, rest);
  await here.read();
  expect(await calls(here.ledger)).toHaveLength(2);
  here.write(file, answer("c", 4));
  await here.read();
  expect((await calls(here.ledger)).map(([, , , output]) => output)).toEqual([2, 3, 4]);
});

it("names a database it does not understand, and continues", async () => {
  using here = world();
  here.write(here.places.opencode, "no database");
  here.write(join(here.places.claudeCode, "-shop", "s1.jsonl"), answer("a", 2));
  await here.read();
  expect(here.failed).toEqual([here.places.opencode]);
  expect(await calls(here.ledger)).toHaveLength(1);
});
