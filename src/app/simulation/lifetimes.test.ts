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

it("ends 30 busy days with bounded counts of everything that is swept [HLTH-11]", { timeout: 120_000 }, async () => {
  // A week for everything that can be set, so that what grows beyond it shows within the month.
  const changed = {
    "events.retentionDays": 7,
    "agents.keepGoneDays": 7,
    "mail.retentionDays": 7,
    "mail.importantRetentionDays": 7,
    "findings.retentionDays": 7,
  } as const;
  const world = await openWorld({ off: [], changed });
  try {
    const counts: Record<string, number>[] = [];
    for (let day = 0; day < 30; day++) {
      await liveThrough(day, world);
      counts.push(countRows(world));
    }
    const swept = lifetimes.filter(({ stays }) => stays === "swept");
    for (const { tables = [], days } of swept) {
      const kept = typeof days === "number" ? days : 7;
      for (const table of tables) {
        const perDay = counts[0]![table]!;
        expect(counts[29]![table], table).toBeLessThanOrEqual((kept + 2) * Math.max(perDay, 10));
      }
    }
    // Nothing of these is empty only because nothing was ever made.
    for (const table of ["reservations", "events", "messages", "findings", "handoffs", "contacts", "reservation_waits"])
      expect(counts[0]![table], table).toBeGreaterThan(0);
  } finally {
    await world.close();
  }
});

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

/** Ten agents come, work and leave; some just fall silent. */
async function liveThrough(day: number, world: World): Promise<void> {
  for (let index = 0; index < 10; index++) {
    const seat = await world.join(`agent-${day}-${index}`);
    const other = await world.join(`peer-${day}-${index}`);
    const paths = [`src/${index}.ts`];
    const { reservation } = await seat.call("reservation.acquire", { paths, waitMs: 0 });
    const wait = other.call("reservation.acquire", { paths, waitMs: 30_000 }).catch(() => {});
    await world.settled();
    await pass(world, 31_000);
    await wait;
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
    if (index % 2 === 0) {
      await seat.call("reservation.release", { id: reservation.id });
      await seat.call("agent.end", { id: seat.id });
    }
  }
  await pass(world, dayMs - 10 * 31_000);
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
