import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readEventPage } from "../platform/event-log/index.ts";
import { purgeRecords } from "./purge-records.ts";
import { dayMs, scratchRecords, type ScratchRecords } from "./testkit.ts";

const purge = (world: ScratchRecords, before: number, dryRun = false) =>
  purgeRecords({ before, dryRun }, world.user, world);

it("removes what ended before the time, keeps what ended after it, and counts both the same in a dry run [CORE-13]", async () => {
  using world = scratchRecords();
  const early = await finishOneOfEach(world, "early");
  world.clock.advance(10 * dayMs);
  const between = world.clock.now();
  world.clock.advance(10 * dayMs);
  const late = await finishOneOfEach(world, "late");
  const before = world.dump();

  const counted = await purge(world, between, true);
  expect(world.dump()).toEqual(before);
  const done = await purge(world, between);
  expect({ ...done, dryRun: true }).toEqual(counted);
  expect(done.removed).toMatchObject({
    agents: 2,
    workItems: 1,
    messages: 1,
    findings: 1,
    reservations: 1,
    runs: 1,
    sessions: 1,
    history: 1,
    fileVersions: 1,
  });
  expect(done.removed.events).toBeGreaterThan(3);
  const rows = Object.entries(world.dump())
    .filter(([table]) => table !== "audit")
    .flatMap(([, found]) => found)
    .join("\n");
  for (const id of early) expect(rows).not.toContain(id);
  for (const id of late) expect(rows).toContain(id);
  expect(String(world.dump().audit)).toContain("store.purged");
});

async function finishOneOfEach(world: ScratchRecords, name: string): Promise<readonly string[]> {
  const agent = await world.agent(name);
  const item = await world.item(agent, { closed: true });
  await world.reserve(agent, `${name}.ts`, { released: true });
  const run = await world.run("shop", { status: "verified", outcome: "merged", commit: "c0ffee" });
  const other = await world.agent(`${name}-other`);
  await world.mail(agent, other, name);
  await world.finding(agent, name, { fixed: true });
  await world.fileVersion(agent, `${name}.ts`);
  await world.source(agent, name);
  for (const gone of [agent, other]) await world.end(gone);
  return [agent.caller.agent.id, other.caller.agent.id, item.id, run];
}

it("answers an older cursor with truncated afterwards, and reads on from the oldest that is left [CORE-13, CORE-14]", async () => {
  using world = scratchRecords();
  const heron = await world.agent("heron");
  for (let count = 0; count < 5; count++) await world.item(heron);
  world.clock.advance(dayMs);
  await world.item(heron, { title: "new" });
  await purge(world, world.clock.now());
  const read = (after: number) =>
    readEventPage({ after, limit: 10, type: "**", project: undefined }, { reader: world.store.reader });
  const refused = await read(2).catch((error: unknown) => error as { details: { oldest: number } });
  expect(refused).toMatchObject({ code: "events.truncated" });
  const { events } = await read((refused as { details: { oldest: number } }).details.oldest);
  expect(events.map(({ type }) => type)).toEqual(["work-item.created"]);
});

it("keeps a closed item that a kept one depends on, through any number of steps [CORE-13]", async () => {
  using world = scratchRecords();
  const heron = await world.agent("heron");
  const first = await world.item(heron, { title: "first", closed: true });
  const second = await world.item(heron, { title: "second", dependsOn: [first], closed: true });
  const alone = await world.item(heron, { title: "alone", closed: true });
  await world.item(heron, { title: "on alone", dependsOn: [alone], closed: true });
  await world.item(heron, { title: "open", dependsOn: [second] });
  world.clock.advance(dayMs);
  expect((await purge(world, world.clock.now())).removed.workItems).toBe(2);
  const left = await world.store.reader.workItems.list({
    project: undefined,
    status: undefined,
    before: undefined,
    limit: 10,
  });
  expect(left.map(({ title }) => title)).toEqual(["open", "second", "first"]);
});

it("keeps a run whose change can still be merged, says so, and names the trees it leaves [CORE-13]", async () => {
  using world = scratchRecords();
  const tree = join(world.folder.path, "tree");
  mkdirSync(tree);
  const workspace = (path: string) => ({ tree: path, branch: "b", baseCommit: "c", repository: "/srv/shop" });
  await world.run("shop", { status: "verified", commit: "c0ffee" });
  await world.run("shop", { status: "failed", workspace: workspace(tree) });
  await world.run("shop", { status: "failed", workspace: workspace("/gone") });
  await world.run("shop", { status: "paused" });
  world.clock.advance(dayMs);
  expect(await purge(world, world.clock.now())).toMatchObject({
    removed: { runs: 2, history: 2 },
    keptOpen: 1,
    trees: [tree],
  });
  const { runs } = world.dump();
  expect(runs!.map((row) => (JSON.parse(String(row)) as { status: string }).status).sort()).toEqual([
    "paused",
    "verified",
  ]);
});

it("keeps an ended agent that something kept refers to, also when the wall clock went back between the two", async () => {
  using world = scratchRecords();
  const heron = await world.agent("heron");
  await world.reserve(heron, "a.ts", { released: true });
  const released = world.clock.now();
  world.clock.jumpWall(-2 * dayMs);
  await world.end(heron);
  world.clock.jumpWall(3 * dayMs);
  expect((await purge(world, released - dayMs)).removed).toMatchObject({ agents: 0, reservations: 0 });
  expect((await purge(world, released + 1)).removed).toMatchObject({ agents: 1, reservations: 1 });
});

it("refuses a time that has not come, and leaves nothing of the content in the files [CORE-13]", async () => {
  using world = scratchRecords();
  const heron = await world.agent("heron");
  await world.item(heron, { title: "the-secret-plan", closed: true });
  await world.mail(heron, heron, "the-secret-plan");
  world.clock.advance(dayMs);
  await expect(purge(world, world.clock.now() + 1)).rejects.toMatchObject({ code: "input.invalid" });
  expect(world.folder.content()).toContain("the-secret-plan");
  await purge(world, world.clock.now());
  expect(world.folder.content()).not.toContain("the-secret-plan");
});

it("keeps open findings with their work item and reporter, and who has sent mail that stays [CORE-13]", async () => {
  using world = scratchRecords();
  const [heron, otter, crow] = [await world.agent("heron"), await world.agent("otter"), await world.agent("crow")];
  await world.finding(heron, "still open");
  for (const agent of [heron, crow]) await world.end(agent);
  world.clock.advance(dayMs);
  const before = world.clock.now();
  await world.mail(otter, otter, "later");
  expect((await purge(world, before)).removed).toMatchObject({ agents: 1, findings: 0, messages: 0 });
  const names = (await world.store.reader.agents.list({ project: undefined, includeGone: true })).map(
    ({ name }) => name,
  );
  expect(names.sort()).toEqual(["heron", "otter"]);
});
