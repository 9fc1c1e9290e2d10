import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { lifetimes } from "../../data/index.ts";
import { settingKeys } from "../../platform/config/index.ts";
import { homePaths, sweepHome } from "../../platform/home/index.ts";
import { openWorld } from "./simulate.ts";

type World = Awaited<ReturnType<typeof openWorld>>;

const dayMs = 86_400_000;
const declaredTables = lifetimes.flatMap(({ tables = [] }) => tables);

it("declares a lifetime and a sweep for every table and every entry of a home, once, and none that is not there [HLTH-11]", async () => {
  const world = await openWorld({ off: [] });
  try {
    await world.join("heron");
    const tables = Object.keys(countRows(world));
    expect(declaredTables.toSorted()).toEqual(tables.toSorted());
    const places = lifetimes.flatMap(({ home = [] }) => home);
    const entries = readdirSync(world.home).filter((name) => name !== "repository");
    expect(entries.filter((name) => !places.includes(name))).toEqual([]);
    const named = Object.entries(homePaths({ SYLK_HOME: "/h" })).filter(([name]) => name !== "home");
    expect(named.map(([, path]) => path.split("/").at(-1)).filter((name) => !places.includes(name!))).toEqual([]);
  } finally {
    await world.close();
  }
});

it("names only settings that exist, and gives everything that is swept a time", () => {
  const swept = lifetimes.filter(({ stays }) => stays === "swept");
  expect(swept.filter(({ days }) => days === undefined)).toEqual([]);
  expect(settingKeys).toEqual(expect.arrayContaining(lifetimes.map(({ days }) => days).filter(isText)));
});

/** A process ends in a second, not in days: its row goes with it, or with the next daemon. */
const shownElsewhere: Readonly<Record<string, string>> = {
  processes: "src/orchestration/executors/process-recorder.test.ts, test/crash/run-go-on.test.ts",
};

/**
 * Rows of parts that this world has none of (clients' records, tool calls, decisions of a person), as these parts write
 * them. Rows that stay longer than a week are written `olderDays` old, so that the days of this test pass their limit.
 */
const leftBehind: Readonly<Record<string, { readonly olderDays?: number; readonly insert: string }>> = {
  // The registry writes the rows themselves when the agent goes offline.
  agent_capabilities: {
    insert: "UPDATE agents SET capabilities = json_array(@key) WHERE id = (SELECT max(id) FROM agents)",
  },
  idempotency: { insert: "INSERT INTO idempotency VALUES ('user', 'mail.send', @key, 'hash', '{}', @at)" },
  file_packs: { insert: "INSERT INTO file_packs VALUES (@key, 10)" },
  file_contents: { insert: "INSERT INTO file_contents VALUES (@key, @key, 0, 10, 10)" },
  file_versions: {
    insert:
      "INSERT INTO file_versions (id, project, tree, path, seen_at, seen, state, hash, known_by) SELECT @key, id, '/tree', 'a.ts', @at, 'after', 'kept', @key, 'tool' FROM projects",
  },
  notices: { olderDays: 23, insert: "INSERT INTO notices VALUES (@key, @at, @at, NULL)" },
  health_intake: { olderDays: 23, insert: "INSERT INTO health_intake VALUES (@key, 10, @at)" },
  ledger_usage: {
    olderDays: 393,
    insert: "INSERT INTO ledger_usage (key, client, session, at) VALUES (@key, 'claude-code', 'ses', @at)",
  },
  ledger_sources: { olderDays: 393, insert: "INSERT INTO ledger_sources VALUES (@key, 'claude-code', '{}', 0, @at)" },
};

it(
  "ends 30 busy days, and 15 more, with no more of anything than its lifetime allows [HLTH-11]",
  { timeout: 180_000 },
  async () => {
    // A week for everything that can be set; the extra days show what stays for a month by rule.
    const changed = {
      "events.retentionDays": 7,
      "agents.keepGoneDays": 7,
      "mail.retentionDays": 7,
      "mail.importantRetentionDays": 7,
      "findings.retentionDays": 7,
      "fileHistory.keepDays": 7,
    } as const;
    const world = await openWorld({ off: [], changed });
    try {
      const counts: Record<string, number>[] = [];
      const [seen, made, first]: Record<string, number>[] = [{}, {}, {}];
      for (let day = 0; day < 45; day++) {
        const during = await liveThrough(day, world);
        counts.push(countRows(world));
        for (const [table, rows] of Object.entries(counts[day]!)) {
          const most = Math.max(rows, during[table] ?? 0);
          seen![table] = Math.max(seen![table] ?? 0, most);
          // The first day brings what there is only one of.
          if (day > 0) made![table] = Math.max(made![table] ?? 0, most - counts[day - 1]![table]!);
          first![table] ??= most;
        }
      }
      const problems: string[] = [];
      const swept = lifetimes.filter(({ stays }) => stays === "swept");
      for (const { tables = [], days } of swept) {
        const declared = typeof days === "number" ? days : 7;
        for (const table of tables.filter((name) => shownElsewhere[name] === undefined && !isSearchIndex(name))) {
          const kept = declared - (leftBehind[table]?.olderDays ?? 0);
          const [perDay, after30, last] = [made![table]!, counts[29]![table]!, counts.at(-1)![table]!];
          const most = (kept + 1) * perDay + Math.max(0, first![table]! - perDay);
          if (seen![table] === 0) problems.push(`${table} was never filled`);
          if ((kept < 30 && after30 > most) || last > most)
            problems.push(`${table} has ${after30} rows after 30 days and ${last} after 45, more than ${most}`);
          if (counts.length * perDay <= most && perDay > 0) problems.push(`${table} could not pass its limit ${most}`);
        }
      }
      expect(problems).toEqual([]);
    } finally {
      await world.close();
    }
  },
);

/** The pages of SQLite's index of words: merged at times of its own. Its rows are those of `message_search` and `archive_search`. */
function isSearchIndex(table: string): boolean {
  return /^(message|archive)_search_(config|data|idx)$/.test(table);
}

it("removes marks of heartbeats a day after the last one, of sessions after a week, and empties what workers said when it is too much [HLTH-11]", () => {
  const home = mkdtempSync(join(tmpdir(), "sylk-scratch-"));
  try {
    const paths = homePaths({ SYLK_HOME: home });
    const now = 1_767_225_600_000;
    const sessions = join("nudges", "sessions");
    for (const folder of ["heartbeats", "log", sessions]) mkdirSync(join(home, folder), { recursive: true });
    for (const [name, ageMs] of [
      [join("heartbeats", "old"), dayMs + 1_000],
      [join("heartbeats", "new"), dayMs - 1_000],
      [join(sessions, "old"), 7 * dayMs + 1_000],
      [join(sessions, "new"), 7 * dayMs - 1_000],
    ] as const) {
      mkdirSync(join(home, name));
      writeFileSync(join(home, name, "mark"), "");
      utimesSync(join(home, name), (now - ageMs) / 1_000, (now - ageMs) / 1_000);
    }
    writeFileSync(join(paths.logs, "worker.err"), "x".repeat(101));
    sweepHome(paths, { now, maxLogBytes: 101 });
    for (const folder of ["heartbeats", sessions]) expect(readdirSync(join(home, folder))).toEqual(["new"]);
    expect(statSync(join(paths.logs, "worker.err")).size).toBe(101);
    sweepHome(paths, { now, maxLogBytes: 100 });
    expect(statSync(join(paths.logs, "worker.err")).size).toBe(0);
  } finally {
    rmSync(home, { recursive: true });
  }
});

/** Four agents and their peers come, work and leave; some just fall silent. Answers with what there was of everything in their midst. */
async function liveThrough(day: number, world: World): Promise<Record<string, number>> {
  const during: Record<string, number> = {};
  for (let index = 0; index < 4; index++) {
    const seat = await world.join(`agent-${day}-${index}`);
    const other = await world.join(`peer-${day}-${index}`);
    const paths = [`src/${index}.ts`];
    const { reservation } = await seat.call("reservation.acquire", { paths, waitMs: 0 });
    const wait = other.call("reservation.acquire", { paths, waitMs: 30_000 }).catch(() => {});
    await world.settled();
    await pass(world, 31_000);
    await wait;
    await other.call("reservation.ask", { id: reservation.id, reason: "I need it too" });
    await seat.call("commit.announce", { commit: "4c2a1f0", paths });
    const { workItem } = await seat.call("work-item.create", { title: `Change ${day}` });
    await seat.call("work-item.claim", { id: workItem.id });
    await other.call("work-item.claim", { id: workItem.id }).catch(() => {});
    await seat.call("work-item.close", { id: workItem.id, reason: "done" });
    await seat.call("mail.send", { to: [other.name], subject: "Look", importance: "urgent" });
    await seat.call("mail.policy", { policy: "contacts", add: [other.name] });
    await seat.call("mail.subscribe", { topic: "api" });
    const { finding } = await seat.call("finding.add", {
      severity: "important",
      category: "correctness",
      summary: `Found ${day} ${index}`,
      files: [{ path: paths[0]!, line: day + 1 }],
    });
    await seat.call("finding.mark", { id: finding.id, status: "fixed", why: "done" });
    await seat.call("finding.investigate", { topic: `Why ${day} ${index}?` });
    await seat.call("guard.write", { unknown: [`program-${day}-${index}: writes what it likes`] });
    const failed = { kind: "tool", component: `tool-${day}-${index}`, outcome: "failed", error: "no" } as const;
    await seat.call("health.report", { reports: Array.from({ length: 5 }, () => failed) });
    const { session } = await seat.call("session.create", { name: `Session ${day} ${index}` });
    await seat.call("session.switch", { id: session.id });
    await seat.call("session.pause", { id: session.id });
    await world.settled();
    leaveBehind(`${day}-${index}`, world);
    for (const [table, rows] of Object.entries(countRows(world))) during[table] = Math.max(during[table] ?? 0, rows);
    await seat.call("session.close", { id: session.id });
    if (index % 2 === 0) {
      await seat.call("reservation.release", { id: reservation.id });
      await seat.call("agent.end", { id: seat.id });
    }
  }
  await pass(world, dayMs - 4 * 31_000);
  return during;
}

function leaveBehind(key: string, { home, clock }: World): void {
  const connection = new Database(join(home, "sylk.db"));
  try {
    for (const { insert, olderDays = 0 } of Object.values(leftBehind)) {
      const { changes } = connection.prepare(insert).run({ key, at: clock.now() - olderDays * dayMs });
      expect(changes, insert).toBe(1);
    }
  } finally {
    connection.close();
  }
}

async function pass({ clock, settled }: World, ms: number): Promise<void> {
  const end = clock.monotonic() + ms;
  await settled();
  while (clock.monotonic() < end) {
    clock.advance(Math.min(clock.nextTimerInMs() ?? Infinity, end - clock.monotonic()));
    await settled();
  }
}

function countRows({ home }: World): Record<string, number> {
  const connection = new Database(join(home, "sylk.db"), { readonly: true });
  try {
    const tables = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[];
    return Object.fromEntries(
      tables.map((table) => [table, Number(connection.prepare(`SELECT count(*) FROM "${table}"`).pluck().get())]),
    );
  } finally {
    connection.close();
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
