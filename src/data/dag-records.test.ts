/** DAG runs as records: they keep a project in use, go with it, and are purged once they have ended. */
import { expect, it } from "vitest";
import { randomIds } from "../platform/ids/index.ts";
import type { GraphRecord } from "../orchestration/graphs/index.ts";
import { forgetProject } from "./forget-project.ts";
import { purgeRecords } from "./purge-records.ts";
import { scratchRecords, type ScratchRecords } from "./testkit.ts";

async function addDag(world: ScratchRecords, status: GraphRecord["status"]): Promise<GraphRecord> {
  const heron = await world.agent("heron");
  const run = await world.run("shop", { status: "verified", outcome: "merged", commit: "c0ffee" });
  return world.store.transact("dag", async (tx) => {
    const { session } = (await tx.runs.find(run))!;
    const { id: project } = heron.caller.project;
    const policy = { maxConcurrency: 1, failFast: true, retry: { max: 0, backoffMs: 0 }, timeoutMs: 1_000 };
    const options = {
      tree: "/",
      mode: "eager",
      policy,
      provider: undefined,
      rehearse: undefined,
      environment: {},
    } as const;
    const id = randomIds(world.clock).next("dag");
    const at = world.clock.now();
    const dag: GraphRecord = {
      id,
      session,
      project,
      name: "checks",
      status,
      reason: undefined,
      options,
      version: 1,
      nodes: 1,
      since: 0,
      createdAt: at,
      updatedAt: at,
    };
    await tx.dags.insert(dag, { nodes: {}, remove: [] });
    const record = { state: "succeeded", attempt: 1, retries: 0 } as const;
    await tx.dags.saveNode(id, { node: "a", state: "succeeded", record, endedAt: at });
    await tx.dags.saveOutput(id, "a", "done");
    await tx.dags.begin(id, "a", at);
    return dag;
  });
}

const rowsOf = (world: ScratchRecords): string =>
  JSON.stringify(Object.entries(world.dump()).filter(([table]) => table.startsWith("dag_")));

it("an unfinished DAG run keeps its project; one that has ended goes with it, and nothing of it is left", async () => {
  using world = scratchRecords();
  const dag = await addDag(world, "running");
  const heron = await world.agent("heron");
  await world.end(heron);
  const target = heron.caller.project.id;
  const forget = () => forgetProject({ target, dryRun: false, worktrees: false }, world.user, world);
  await expect(forget()).rejects.toMatchObject({ code: "project.in-use", details: { runs: 1 } });
  await world.store.transact("end", (tx) => tx.dags.setStatus(dag.id, "cancelled", undefined, 1));
  expect((await forget()).removed.runs).toBe(2);
  expect(rowsOf(world)).not.toContain(dag.id);
});

it("a purge takes DAG runs that have ended, and leaves the session of one that runs", async () => {
  using world = scratchRecords();
  const [ended, running] = [await addDag(world, "failed"), await addDag(world, "running")];
  world.clock.advance(1_000);
  const { removed } = await purgeRecords({ before: world.clock.now(), dryRun: false }, world.user, world);
  expect(removed.runs).toBe(3);
  expect(rowsOf(world)).not.toContain(ended.id);
  expect(await world.store.reader.dags.find(running.id)).toMatchObject({ status: "running" });
  expect(await world.store.reader.sessions.find(running.session)).toBeDefined();
});
