/** How long questions to the archive take, and how well it finds what is similar. */
import { join } from "node:path";
import type { Caller, InputOf, ProjectId, SessionId } from "../../src/contract/index.ts";
import { operations, parseInput } from "../../src/contract/index.ts";
import {
  createArchiveMemory,
  hashingVectors,
  historyHandlers,
  sqliteArchive,
} from "../../src/knowledge/archive/index.ts";
import { sqliteAudit } from "../../src/platform/audit/index.ts";
import { systemClock } from "../../src/platform/clock/index.ts";
import { sqliteEvents } from "../../src/platform/event-log/index.ts";
import { randomIds } from "../../src/platform/ids/index.ts";
import type { OperationsOn } from "../../src/platform/operations/index.ts";
import { openSqliteStore, readMigrations, type Sql } from "../../src/platform/store/index.ts";
import type { Bench, Figure } from "../bench.ts";
import { labelledEntries } from "../load/archive-questions.ts";
import { scratchFolder } from "../processes/scratch-home.ts";
import { percentile } from "../statistics.ts";

const sizes = process.env.ARCHIVE_ENTRIES?.split(",").map(Number) ?? [100_000, 1_000_000];
const perSession = 100;
const asked = 300;
const batch = 1_000;
const vocabulary = 20_000;
const project = "prj_0000000000000000000001" as ProjectId;
const depth = 10;
const quick = 100_000;

export const archive: Bench = {
  name: "archive",
  method: `${sizes.map((size) => size.toLocaleString("en")).join(" and ")} entries of 48 words in sessions of ${perSession}, words by Zipf's law over ${vocabulary.toLocaleString("en")}; ${asked} queries of two words each, a third rare, a third frequent, a third one of each, each asked once and never from the cache; a search scores the newest 2,000 entries that hold a word, and words that more than 5,000 entries hold do not rank. Briefings are of the size standard, with a task. MRR is the mean of 1 / rank of the right entry over the first ${depth}, for ${labelledEntries.flatMap((one) => one.asked).length} questions in other words than ${labelledEntries.length} entries (bench/load/archive-questions.ts).`,
  async run() {
    const figures: Figure[] = [];
    for (const size of sizes) figures.push(...(await timesAt(size)));
    return [...figures, await rankOf("words"), await rankOf("vectors")];
  },
};

async function timesAt(size: number): Promise<readonly Figure[]> {
  using scratch = scratchFolder();
  await using at = await openArchive(join(scratch.path, "sylk.db"));
  const random = seeded(7);
  for (let start = 0; start < size; start += batch)
    await at.store.transact("fill", async (tx) => {
      for (let number = start; number < Math.min(size, start + batch); number++)
        await tx.archive.keep(project, entryOf(number, random));
    });
  const own: number[] = [];
  const all: number[] = [];
  const briefings: number[] = [];
  for (let turn = 0; turn < asked; turn++) {
    const query = queryOf(turn, random);
    const caller = callerIn(sessionOf(Math.floor(random() * (size / perSession))));
    own.push(await timed(() => at.call("history.list", { query, limit: 20 }, caller)));
    all.push(await timed(() => at.call("history.list", { query, allSessions: true, limit: 20 }, caller)));
    const brief = { tier: "standard", task: query, allSessions: true } as const;
    if (turn % 10 === 0) briefings.push(await timed(() => at.call("history.brief", brief, caller)));
  }
  const entries = size.toLocaleString("en");
  const isLarge = size > quick;
  return [
    figure(`${entries} entries: query in a session, p99`, percentile(own, 99), isLarge ? 50 : 5),
    figure(`${entries} entries: search over all sessions, p95`, percentile(all, 95), isLarge ? 50 : 20),
    figure(`${entries} entries: briefing, p95`, percentile(briefings, 95), isLarge ? undefined : 50),
  ];
}

async function rankOf(by: "words" | "vectors"): Promise<Figure> {
  using scratch = scratchFolder();
  await using at = await openArchive(join(scratch.path, "sylk.db"), by);
  const session = sessionOf(1);
  await at.store.transact("fill", async (tx) => {
    for (const [number, { title, text }] of labelledEntries.entries())
      await tx.archive.keep(project, {
        id: String(number),
        session,
        category: "workflow",
        title,
        content: { text },
        at: number,
      });
  });
  const scores: number[] = [];
  for (const [number, { asked: questions }] of labelledEntries.entries())
    for (const text of questions) {
      const input = { text, of: "workflow", limit: depth } as const;
      const { items } = await at.call("history.similar", input, callerIn(session));
      const rank = items.findIndex(({ id }) => id === String(number));
      scores.push(rank < 0 ? 0 : 1 / (rank + 1));
    }
  const mrr = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  return { what: `MRR of similar entries, ranked by ${by}`, value: mrr, unit: "of 1", rounds: [mrr] };
}

async function openArchive(file: string, by: "words" | "vectors" = "words") {
  const clock = systemClock();
  const ids = randomIds(clock);
  const memory = createArchiveMemory();
  const store = openSqliteStore({
    file,
    migrations: readMigrations(),
    durable: false,
    repositories: {
      archive: sqliteArchive,
      events: sqliteEvents({ clock, ids, onAppended: () => {} }),
      audit: sqliteAudit({ clock, clean: (value) => value, onAppended: () => {} }),
      projects: (sql: Sql) => ({
        see: async () =>
          void sql.run(
            "INSERT INTO projects (id, path, name, first_seen_at) VALUES (?, ?, 'shop', 1)",
            project,
            "/shop",
          ),
      }),
    },
  });
  await store.transact("project", (tx) => tx.projects.see());
  const handlers = historyHandlers({
    store,
    clock,
    ids,
    hooks: memory.hooks,
    cache: { find: () => undefined, keep: () => {}, drop: () => {} },
    counts: { waiting: () => [] },
    currentSession: async (caller: Caller) => (caller.kind === "agent" ? (caller.tree as SessionId) : undefined),
    projectOf: async () => project,
    maxTokens: 200_000,
    ...(by === "vectors" ? { embedder: hashingVectors } : {}),
  });
  return {
    store,
    call<Name extends OperationsOn<"history">>(name: Name, input: Partial<InputOf<Name>>, caller: Caller) {
      const handler = handlers[name] as (input: unknown, call: unknown) => Promise<{ items: { id: string }[] }>;
      return handler(parseInput(operations[name], input), { caller, transact: store.transact });
    },
    async [Symbol.asyncDispose]() {
      store.close();
    },
  };
}

function entryOf(number: number, random: () => number) {
  const words = Array.from({ length: 48 }, () => wordOf(Math.floor(vocabulary ** random()) - 1));
  return {
    id: `ent_${number}`,
    session: sessionOf(Math.floor(number / perSession)),
    category: number % 5 === 0 ? "workflow" : "insight",
    title: words.slice(0, 8).join(" "),
    content: { text: words.slice(8).join(" ") },
    at: number,
  };
}

/** A third each: rare words, frequent ones, one of each. */
function queryOf(turn: number, random: () => number): string {
  const rare = (): string => wordOf(2_000 + Math.floor(random() * (vocabulary - 2_000)));
  const frequent = (): string => wordOf(Math.floor(random() * 20));
  return [`${rare()} ${rare()}`, `${frequent()} ${frequent()}`, `${rare()} ${frequent()}`][turn % 3]!;
}

function wordOf(rank: number): string {
  return `w${rank.toString(36)}x`;
}

function sessionOf(number: number): SessionId {
  return `ses_${String(number).padStart(22, "0")}` as SessionId;
}

function callerIn(session: SessionId): Caller {
  const agent = { id: "agt_1", name: "heron", client: "codex" };
  return { kind: "agent", agent, project: { id: project, path: "/shop", name: "shop" }, tree: session } as never;
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) & 0x7fff_ffff) / 0x7fff_ffff;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function figure(what: string, value: number, most: number | undefined): Figure {
  const target = most === undefined ? {} : { target: { text: `< ${most} ms`, met: value < most } };
  return { what, value, unit: "ms", rounds: [value], ...target };
}
