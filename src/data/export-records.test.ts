import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { listWorkItems } from "../coordination/work-items/index.ts";
import { createArchiveMemory, listHistory } from "../knowledge/archive/index.ts";
import { hashToken, newToken } from "../platform/tokens.ts";
import { version } from "../platform/version.ts";
import { exportRecords } from "./export-records.ts";
import { scratchRecords, type ScratchRecords } from "./testkit.ts";

type Line = Readonly<Record<string, unknown>> & { readonly record: string };

async function exported(world: ScratchRecords, only?: string): Promise<readonly Line[]> {
  const file = join(world.folder.path, `export-${exports++}.jsonl`);
  const { bytes } = await exportRecords({ file, only }, world);
  expect([bytes, statSync(file).mode & 0o777]).toEqual([statSync(file).size, 0o600]);
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Line);
}
let exports = 0;

async function fill(world: ScratchRecords, items = 10): Promise<void> {
  const [heron, crow] = [await world.agent("heron"), await world.agent("crow", "nest")];
  const done = await world.item(heron, { closed: true });
  for (let count = 0; count < items; count++) await world.item(heron, { title: `item ${count}`, dependsOn: [done] });
  await world.item(crow, { claimed: true });
  await world.reserve(heron, "a.ts");
  await world.reserve(heron, "b.ts", { released: true });
  await world.run("shop", { status: "verified" });
  await world.run("nest", { status: "running" });
  await world.fileVersion(heron, "a.ts");
  await world.source(heron, "A lease ends.");
}

it("writes a header, then every record once, equal to what the operations answer [CORE-13]", async () => {
  using world = scratchRecords();
  await fill(world, 210); // more than a page
  const [header, ...lines] = await exported(world);
  expect(header).toEqual({ record: "header", sylk: version, format: 1 });
  const of = (record: string) =>
    lines.filter((line) => line.record === record).map(({ record: _record, ...rest }) => rest);
  const user = { kind: "user", project: undefined } as const;

  const { items } = await listWorkItems({ limit: 500 }, user, { ...world, settingsFor: async () => never() } as never);
  expect(of("work-item").map(({ project: _project, ...item }) => item)).toEqual(
    plain(items.map(({ project: _project, ...item }) => item)),
  );
  expect(of("event")).toEqual(plain(await world.events()));
  const everything = { limit: 500, allSessions: true, archived: true, failures: false };
  const { items: kept } = await listHistory(everything, user, {
    ...world,
    ...createArchiveMemory(),
    currentSession: async () => undefined,
    projectOf: async () => undefined,
  });
  expect(of("history")).toEqual(plain(kept));
  const reserved = await world.store.reader.reservations.kept({ project: undefined, after: undefined, limit: 500 });
  expect(of("reservation")).toEqual(plain(reserved));
  expect(of("agent").map(({ name }) => name)).toEqual(["heron", "crow"]);
  expect(of("run").map(({ status, nodes }) => [status, (nodes as unknown[]).length])).toEqual([
    ["running", 1],
    ["verified", 1],
  ]);
  const counts = Object.entries(world.dump()).map(([table, rows]) => [table, rows.length]);
  const rows = Object.fromEntries(counts) as Record<string, number>;
  expect({
    agents: of("agent").length,
    file_versions: of("file-version").length,
    approvals: of("approval").length,
    projects: of("project").length,
    sessions: of("session").length,
    work_items: of("work-item").length,
  }).toEqual({
    agents: rows.agents,
    file_versions: rows.file_versions,
    approvals: rows.approvals,
    projects: rows.projects,
    sessions: rows.sessions,
    work_items: rows.work_items,
  });
});

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
function never(): never {
  throw new Error("listing asks for no settings");
}

it("writes only what belongs to one project when asked for one [CORE-13]", async () => {
  using world = scratchRecords();
  await fill(world);
  const all = await exported(world);
  const nest = await exported(world, join(world.folder.path, "nest"));
  const { id } = all.find(({ record, name }) => record === "project" && name === "nest")!;
  expect(nest[0]).toMatchObject({ record: "header", project: id });
  const belongs = ({ project, record, session }: Line) =>
    project === id || (record === "history" && nest.some((line) => line.session === session));
  const expected = all.slice(1).filter((line) => line.id === id || belongs(line) || isApprovalOf(line, nest));
  expect(nest.slice(1)).toEqual(expected);
  expect(nest.length).toBeGreaterThan(5);
  await expect(exported(world, "/nowhere")).rejects.toMatchObject({ code: "project.not-found" });
});

function isApprovalOf({ record, run }: Line, lines: readonly Line[]): boolean {
  return record === "approval" && lines.some((line) => line.record === "run" && line.id === run);
}

it("is the same text for the same store, and holds no token, hash, session key or environment [CORE-13]", async () => {
  using world = scratchRecords();
  await fill(world);
  const token = newToken("usr");
  await world.store.transact("tokens", (tx) => tx.tokens.issue(hashToken(token), undefined, 1));
  const text = async () => JSON.stringify(await exported(world));
  const once = await text();
  world.clock.advance(1_000);
  expect(await text()).toBe(once);
  const hashes = world.dump().tokens!.map((row) => (JSON.parse(String(row)) as { hash: string }).hash);
  expect(hashes.length).toBeGreaterThan(2);
  for (const secret of [...hashes, token, "session_key", "sessionKey", "/usr/bin"]) expect(once).not.toContain(secret);
});

it("replaces no file, refuses a folder that is not there, and leaves nothing half-written", async () => {
  using world = scratchRecords();
  await fill(world);
  const mine = join(world.folder.path, "mine");
  writeFileSync(mine, "mine");
  const write = (file: string) => exportRecords({ file, only: undefined }, world);
  await expect(write(mine)).rejects.toMatchObject({ code: "file.exists" });
  expect(readFileSync(mine, "utf8")).toBe("mine");
  for (const file of [join(world.folder.path, "none", "x"), join(mine, "x")])
    await expect(write(file)).rejects.toMatchObject({ code: "input.invalid", message: expect.stringContaining(file) });
  expect(existsSync(`${mine}.partial`)).toBe(false);
});
