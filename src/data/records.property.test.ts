/**
 * Random histories of a home: a copy made at any point brings back exactly the rows of that point, and a purge changes
 * none of the answers that people and agents work by.
 */
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { listAgents } from "../coordination/registry/index.ts";
import { listReservations } from "../coordination/reservations/index.ts";
import { readyWorkItems } from "../coordination/work-items/index.ts";
import { manualClock } from "../platform/clock/index.ts";
import { stoppedStore } from "../platform/store/index.ts";
import type { WorkItem } from "../contract/index.ts";
import { exportRecords } from "./export-records.ts";
import { purgeRecords } from "./purge-records.ts";
import { dayMs, dumpOf, scratchRecords, type AgentCall, type ScratchRecords } from "./testkit.ts";

const index = fc.nat({ max: 30 });
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ what: fc.constant("register" as const), who: index, shop: fc.boolean() }) },
  {
    weight: 6,
    arbitrary: fc.record({ what: fc.constant("item" as const), who: index, on: index, how: fc.nat({ max: 2 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ what: fc.constant("reserve" as const), who: index, path: index, released: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ what: fc.constant("run" as const), status: fc.nat({ max: 5 }), merged: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant("end" as const), who: index }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant("wait" as const), days: fc.nat({ max: 3 }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
const statuses = ["running", "paused", "awaiting_approval", "verified", "failed", "cancelled"] as const;

type History = { readonly agents: AgentCall[]; readonly items: WorkItem[]; registered: number; reservations: number };

async function apply(world: ScratchRecords, history: History, one: Step): Promise<void> {
  const { agents, items } = history;
  const by = "who" in one && agents.length > 0 ? agents[one.who % agents.length] : undefined;
  switch (one.what) {
    case "register":
      agents.push(await world.agent(`agent-${history.registered++}`, one.shop ? "shop" : "nest"));
      return;
    case "item": {
      if (by === undefined) return;
      const own = items.filter(({ title }) => title === by.caller.project.name);
      const dependsOn = own.length === 0 || one.on > 15 ? [] : [own[one.on % own.length]!];
      const open = dependsOn.some(({ status }) => status !== "closed");
      const terms = {
        title: by.caller.project.name,
        dependsOn,
        claimed: one.how === 1 && !open,
        closed: one.how === 2,
      };
      items.push(await world.item(by, terms));
      return;
    }
    case "reserve":
      if (by !== undefined) await world.reserve(by, `${history.reservations++}/${one.path}.ts`, one);
      return;
    case "run":
      await world.run("shop", {
        status: statuses[one.status]!,
        ...(one.merged ? { outcome: "merged" as const, commit: "c" } : {}),
      });
      return;
    case "end":
      if (by === undefined) return;
      await world.end(by);
      agents.splice(agents.indexOf(by), 1);
      return;
    case "wait":
      world.clock.advance(one.days * dayMs);
  }
}

it("brings back exactly the rows of the moment of the backup, and exports the same bytes [CORE-13]", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.array(step, { maxLength: 15 }), async (earlier, later) => {
      using world = scratchRecords();
      const history: History = { agents: [], items: [], registered: 0, reservations: 0 };
      for (const one of earlier) await apply(world, history, one);
      const keeper = stoppedStore(manualClock());
      const [backup, exported] = ["backup.db", "before.jsonl"].map((name) => join(world.folder.path, name));
      keeper.copy(world.file, backup!);
      const model = world.dump();
      await exportRecords({ file: exported!, only: undefined }, world);
      for (const one of later) await apply(world, history, one);

      // Another home: the one in use is still open.
      using other = scratchRecords();
      const database = join(other.folder.path, "restored.db");
      copyFileSync(world.file, database);
      keeper.restore({ database, lock: join(other.folder.path, "lock") }, backup!);
      expect(dumpOf(database)).toEqual(model);
      const again = await exportOf(database, other);
      expect(again === readFileSync(exported!, "utf8")).toBe(true);
    }),
    { numRuns: 12 },
  );
});

/** Through the real store, opened on the restored file. */
async function exportOf(database: string, other: ScratchRecords): Promise<string> {
  using world = scratchRecords({ file: database });
  const file = join(other.folder.path, "after.jsonl");
  await exportRecords({ file, only: undefined }, world);
  return readFileSync(file, "utf8");
}

it("purges nothing that ready, who, reservations or unfinished runs answer, whatever the time [CORE-13]", async () => {
  let removedAny = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 10, maxLength: 40 }),
      fc.integer({ min: 30, max: 100 }),
      async (steps, share) => {
        using world = scratchRecords();
        const history: History = { agents: [], items: [], registered: 0, reservations: 0 };
        const begin = world.clock.now();
        for (const one of steps) await apply(world, history, one);
        world.clock.advance(1);
        const before = begin + Math.floor(((world.clock.now() - begin) * share) / 100);
        const answers = await answersOf(world);
        const { removed } = await purgeRecords({ before, dryRun: false }, world.user, world);
        removedAny += removed.workItems + removed.agents + removed.runs;
        expect(await answersOf(world)).toEqual(answers);
        expect(
          (await purgeRecords({ before, dryRun: true }, world.user, world)).removed,
          "a second one finds nothing",
        ).toMatchObject({ agents: 0, events: 0, reservations: 0, runs: 0, workItems: 0 });
      },
    ),
    { numRuns: 30 },
  );
  expect(removedAny, "the histories have something to purge").toBeGreaterThan(0);
});

async function answersOf(world: ScratchRecords): Promise<unknown> {
  const user = { kind: "user", project: undefined } as const;
  const unfinished = await world.store.reader.runs.withStatus([
    "planning",
    "running",
    "paused",
    "awaiting_approval",
    "blocked",
  ]);
  return {
    ready: await readyWorkItems({ limit: 500 }, user, world as never),
    who: await listAgents({ limit: 500 }, user, world),
    reservations: await listReservations({ limit: 500 }, user, world as never),
    runs: await Promise.all(unfinished.map(async (run) => [run, await world.store.reader.dags.nodesOf(run.id)])),
    approvals: await world.store.reader.approvals.list({ graph: undefined, project: undefined, waitingOnly: true }),
  };
}
