import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createFileGit, createGit } from "../adapters/git/index.ts";
import { createContentPacks, createFileHistory } from "../coordination/file-history/index.ts";
import { systemClock } from "../platform/clock/index.ts";
import { randomIds } from "../platform/ids/index.ts";
import { forgetProject } from "./forget-project.ts";
import { listProjects } from "./list-projects.ts";
import { scratchRecords, type AgentCall, type ScratchRecords } from "./testkit.ts";

const plain = { dryRun: false, worktrees: false };

/** Two projects with everything that can be kept of one; nobody is live in "shop". */
async function fill(world: ScratchRecords, secret = "nothing"): Promise<void> {
  const [heron, crow] = [await world.agent("heron"), await world.agent("crow", "nest")];
  const done = await world.item(heron, { title: secret, closed: true });
  await world.item(heron, { dependsOn: [done] });
  await world.item(crow, { title: "stays" });
  await world.reserve(heron, "a.ts");
  await world.reserve(heron, "b.ts", { released: true });
  await world.reserve(crow, "a.ts");
  const [otter, rook] = [await world.agent("otter"), await world.agent("rook", "nest")];
  await world.mail(heron, otter, secret);
  await world.mail(crow, rook, "stays");
  await world.finding(heron, secret);
  await world.finding(crow, "stays");
  await world.fileVersion(heron, `${secret}.ts`);
  await world.fileVersion(crow, "stays.ts");
  await world.source(heron, secret);
  await world.source(crow, "stays");
  await world.failures(heron, secret);
  await world.failures(crow, "stays");
  await world.run("shop", { status: "verified", request: secret });
  await world.run("nest", { status: "verified" });
  await world.end(heron);
  await world.end(otter);
}

it("removes every row that belongs to the project, and no other [CORE-13]", async () => {
  using world = scratchRecords();
  await fill(world);
  const before = world.dump();
  const { items } = await listProjects(world);
  const shop = items.find(({ name }) => name === "shop")!;
  const ids = idsOf(before, shop.id);
  expect(ids.size, "the search below would find something").toBeGreaterThan(10);

  const { removed, project } = await forgetProject({ target: shop.id, ...plain }, world.user, world);
  expect(project.id).toBe(shop.id);
  const after = world.dump();
  const { audit: _audit, ...others } = after;
  const left = Object.values(others)
    .flat()
    .filter((row) => [...ids].some((id) => String(row).includes(id)));
  expect(left).toEqual([]);
  for (const [table, rows] of Object.entries(others)) {
    const foreign = before[table]!.filter((row) => ![...ids].some((id) => String(row).includes(id)));
    expect(rows, table).toEqual(foreign);
  }
  expect(removed).toMatchObject({
    agents: 2,
    workItems: 2,
    messages: 1,
    findings: 1,
    reservations: 2,
    runs: 1,
    sessions: 1,
    history: 1,
    sources: 1,
    fileVersions: 1,
  });
  expect(removed.events).toBe(before.events!.length - after.events!.length);
  expect(String(after.audit)).toContain("project.forgotten");
});

/** Everything that has an id and belongs to the project, found by following the rows that name it. */
function idsOf(dump: ReturnType<ScratchRecords["dump"]>, project: string): ReadonlySet<string> {
  const own = new Set([project]);
  for (let size = 0; size < own.size;) {
    size = own.size;
    for (const [table, rows] of Object.entries(dump)) {
      if (table === "projects" || table === "audit") continue;
      for (const row of rows) {
        const { id, ...fields } = JSON.parse(String(row)) as Record<string, unknown>;
        if (typeof id === "string" && Object.values(fields).some((value) => own.has(String(value)))) own.add(id);
      }
    }
  }
  return own;
}

it("removes versions of files that wait to be written, and those seen meanwhile", async () => {
  using world = scratchRecords();
  const heron = await world.agent("heron");
  const { tree, project } = heron.caller;
  const env = { PATH: process.env.PATH, HOME: world.folder.path };
  execFileSync("git", ["init", "-q"], { cwd: tree, env });
  const packs = join(world.folder.path, "file-history");
  const history = createFileHistory({
    ...world,
    ids: randomIds(world.clock),
    calls: { inTree: () => [] },
    git: createFileGit(createGit(systemClock(), env)),
    packs: createContentPacks(packs),
    limits: { isOn: true, keepDays: 14, maxBytes: 1_048_576, maxFileBytes: 1_048_576 },
    onKept() {},
    onFailed(error) {
      throw error;
    },
  });
  const see = (path: string): void => {
    writeFileSync(join(tree, path), `${path}\n`);
    history.before({ project: project.id, tree, paths: [path] });
  };
  await world.end(heron);
  see("waiting.ts");
  const slow: typeof world.user.transact = (key, work) =>
    world.store.transact(key, (tx) => {
      see("meanwhile.ts");
      return work(tx);
    });
  const user = { ...world.user, transact: slow };
  const { removed } = await forgetProject({ target: project.id, ...plain }, user, { ...world, fileHistory: history });
  expect(removed.fileVersions).toBe(1);
  await history.flush();
  expect([world.dump().file_versions, readdirSync(packs)]).toEqual([[], []]);
  await history.close();
});

it("counts in a dry run what it would remove, and removes nothing [CORE-13]", async () => {
  using world = scratchRecords();
  await fill(world);
  const [before, target] = [world.dump(), join(world.folder.path, "shop")];
  const counted = await forgetProject({ target, dryRun: true, worktrees: true }, world.user, world);
  expect(world.dump()).toEqual(before);
  const done = await forgetProject({ target, ...plain }, world.user, world);
  expect(done.removed).toEqual(counted.removed);
  expect(Object.values(counted.removed).every((count) => count > 0)).toBe(true);
});

it("leaves nothing of the content in the store's files [CORE-13]", async () => {
  using world = scratchRecords();
  await fill(world, "the-secret-plan");
  expect(world.folder.content()).toContain("the-secret-plan");
  await forgetProject({ target: join(world.folder.path, "shop"), ...plain }, world.user, world);
  expect(world.folder.content()).not.toContain("the-secret-plan");
});

it("removes kept answers that mention what was forgotten, and keeps the others", async () => {
  using world = scratchRecords();
  await fill(world);
  const [shop, nest] = [await world.agent("heron"), await world.agent("crow", "nest")];
  const keep = ({ caller }: Pick<AgentCall, "caller"> | typeof world.user, key: string, answer: string) => {
    const scope = { caller: caller.kind === "agent" ? caller.agent.id : "user", operation: "x", key };
    return world.store.transact("x", (tx) => tx.idempotency.keep(scope, { inputHash: "h", answer, at: 1 }));
  };
  await keep(shop, "of its agent", "text");
  await keep(world.user, "of the user, about it", `about ${shop.caller.project.id}`);
  await keep(world.user, "of the user", "about something else");
  await keep(nest, "of another agent", "text");
  await world.end(shop);
  await forgetProject({ target: shop.caller.project.id, ...plain }, world.user, world);
  const kept = world.dump().idempotency!.map((row) => (JSON.parse(String(row)) as { key: string }).key);
  expect(kept).toEqual(expect.arrayContaining(["of another agent", "of the user"]));
  expect(kept).toHaveLength(2);
});

it("is refused while an agent lives there or a run is not finished, and says whose [CORE-13]", async () => {
  using world = scratchRecords();
  const heron = await world.agent("heron");
  const run = await world.run("shop", { status: "paused" });
  const before = world.dump();
  const forgotten = () => forgetProject({ target: heron.caller.project.id, ...plain }, world.user, world);
  await expect(forgotten()).rejects.toMatchObject({
    code: "project.in-use",
    message: expect.stringMatching(/live agents \(heron\) and 1 unfinished runs.*sylk agent end.*sylk cancel/),
    details: { agents: [{ name: "heron" }], runs: 1 },
  });
  expect(world.dump()).toEqual(before);
  await world.end(heron);
  await expect(forgotten()).rejects.toMatchObject({ details: { agents: [], runs: 1 } });
  await world.store.transact("run", async (tx) =>
    tx.runs.update({ ...(await tx.runs.find(run))!, status: "cancelled" }),
  );
  await expect(forgotten()).resolves.toMatchObject({ removed: { runs: 1 } });
});

it("lets an agent of that session begin anew afterwards", async () => {
  using world = scratchRecords();
  const heron = await world.agent("heron");
  await world.end(heron);
  await forgetProject({ target: heron.caller.project.id, ...plain }, world.user, world);
  const again = await world.agent("heron");
  expect(again.caller.agent.id).not.toBe(heron.caller.agent.id);
  expect(again.caller.project.id).not.toBe(heron.caller.project.id);
  await world.item(again);
});

it("finds a project by its folder, by a folder in it, and by its path when it is gone; and says so when there is none", async () => {
  using world = scratchRecords();
  const find = async (target: string) =>
    (await forgetProject({ target, dryRun: true, worktrees: false }, world.user, world)).project.name;
  await world.run("shop", { status: "failed" });
  const shop = join(world.folder.path, "shop");
  mkdirSync(join(shop, "src"));
  expect([await find(shop), await find(join(shop, "src")), await find(join(shop, ".git"))]).toEqual([
    "shop",
    "shop",
    "shop",
  ]);
  rmSync(shop, { recursive: true });
  expect([await find(shop), (await listProjects(world)).items[0]!.exists]).toEqual(["shop", false]);
  for (const target of ["/nowhere", "nowhere", "prj_01jd8q3m7k4x9t2v5b8n1c"])
    await expect(find(target)).rejects.toMatchObject({ code: "project.not-found" });
});

it("lists working trees and branches of its runs, and puts them away only when asked to [CORE-13]", async () => {
  using world = scratchRecords();
  const tree = (name: string) => ({
    tree: `/srv/${name}`,
    branch: `sylk/${name}`,
    baseCommit: "c",
    repository: "/srv",
  });
  for (const project of ["shop", "nest"]) {
    await world.run(project, { status: "verified", workspace: tree(`${project}-1`) });
    await world.run(project, { status: "cancelled", outcome: "discarded", workspace: tree(`${project}-2`) });
  }
  const forget = (name: string, worktrees: boolean) =>
    forgetProject({ target: join(world.folder.path, name), dryRun: false, worktrees }, world.user, world);
  expect((await forget("shop", false)).worktrees).toEqual([
    { tree: "/srv/shop-1", branch: "sylk/shop-1", removed: false },
  ]);
  expect(world.quarantined).toEqual([]);
  expect((await forget("nest", true)).worktrees).toEqual([
    { tree: "/srv/nest-1", branch: "sylk/nest-1", removed: true },
  ]);
  expect(world.quarantined).toEqual(["/srv/nest-1"]);
});

it("removes a tree whose repository is gone, and leaves one that git cannot put away", async () => {
  using world = scratchRecords();
  const failing = { ...world, workspaces: { quarantine: () => Promise.reject(new Error("git failed")) } };
  const trees = ["orphan", "stuck"].map((name) => join(world.folder.path, name));
  for (const tree of trees) {
    mkdirSync(tree);
    writeFileSync(join(tree, "file"), "x");
  }
  const workspace = (tree: string, repository: string) => ({ tree, branch: "b", baseCommit: "c", repository });
  await world.run("shop", { status: "failed", workspace: workspace(trees[0]!, "/nowhere/at/all") });
  await world.run("shop", { status: "failed", workspace: workspace(trees[1]!, world.folder.path) });
  const target = join(world.folder.path, "shop");
  const { worktrees } = await forgetProject({ target, dryRun: false, worktrees: true }, world.user, failing);
  expect(worktrees.map(({ removed, why }) => [removed, why])).toEqual([
    [true, undefined],
    [false, "git failed"],
  ]);
  expect(trees.map((tree) => existsSync(tree))).toEqual([false, true]);
});
