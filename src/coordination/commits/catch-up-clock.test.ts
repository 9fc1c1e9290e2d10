import fc from "fast-check";
import { expect, it } from "vitest";
import type { AgentId, ProjectId } from "../../contract/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { createCatchUpClock, type CatchUpRules } from "./catch-up-clock.ts";

const rules: CatchUpRules = {
  refreshEveryMs: 30_000,
  syncEveryMs: 60_000,
  batchEveryMs: 300_000,
  busyCommitsPerHour: 60,
};
const project = "prj" as ProjectId;
const heron = "agt_heron" as AgentId;

function world(changed: Partial<CatchUpRules> = {}) {
  const clock = manualClock();
  const catchUp = createCatchUpClock(clock, { ...rules, ...changed });
  return {
    clock,
    commit: (path: string) => catchUp.committed(project, [path], [heron]),
    take: () => catchUp.take(project, heron),
    refresh: () => catchUp.refresh(heron),
    isLazy: () => catchUp.isLazy(project),
  };
}

it("tells of the first commit at once, and keeps the next ones for half a minute and a minute [LOAD-3]", () => {
  const { clock, commit, take } = world();
  commit("a.ts");
  expect(take()).toMatchObject({ refresh: ["a.ts"], sync: true, waiting: 0 });
  commit("b.ts");
  commit("c.ts");
  expect(take()).toMatchObject({ refresh: [], sync: false, waiting: 2, nextInMs: 30_000 });
  clock.advance(30_000);
  expect(take()).toMatchObject({ refresh: ["b.ts", "c.ts"], sync: false, waiting: 2, nextInMs: 30_000 });
  clock.advance(30_000);
  expect(take()).toMatchObject({ refresh: [], sync: true, waiting: 0, nextInMs: undefined });
});

it("says nothing to whom nothing concerns", () => {
  expect(world().take()).toEqual({ refresh: [], sync: false, waiting: 0, nextInMs: undefined, batched: false });
});

it("takes over in batches while the project is busy, and goes back only well below the threshold [LOAD-3]", () => {
  const { clock, commit, take } = world();
  for (let second = 0; second < 11; second++) commit(`${second}.ts`);
  expect(take()).toMatchObject({ sync: true, batched: true });
  commit("later.ts");
  clock.advance(60_000);
  expect(take()).toMatchObject({ sync: false, waiting: 1, batched: true });
  clock.advance(240_000);
  expect(take()).toMatchObject({ sync: true, batched: true });
  clock.advance(600_000);
  expect(take().batched).toBe(false);
});

it.each([
  ["debounce", { refreshEveryMs: 0 }, { refresh: ["b.ts"], sync: false }],
  ["cool-down", { syncEveryMs: 0, batchEveryMs: 0 }, { refresh: [], sync: true }],
] as const)("tells at once without %s [LOAD-3]", (_, changed, expected) => {
  const { commit, take } = world(changed);
  commit("a.ts");
  take();
  commit("b.ts");
  expect(take()).toMatchObject(expected);
});

it("drops nothing and tells nothing twice, however commits, questions and time interleave", () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant("commit" as const), path: fc.constantFrom("a", "b", "c", "d") }),
    fc.record({ do: fc.constant("ask" as const) }),
    fc.record({ do: fc.constant("pass" as const), ms: fc.nat(120_000) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { clock, commit, take } = world();
      const owed = new Set<string>();
      let lastRefresh = -Infinity;
      const ask = (): void => {
        const { refresh } = take();
        if (refresh.length === 0) return;
        expect(clock.monotonic() - lastRefresh).toBeGreaterThanOrEqual(rules.refreshEveryMs);
        lastRefresh = clock.monotonic();
        expect(new Set(refresh)).toEqual(owed);
        owed.clear();
      };
      for (const one of steps) {
        if (one.do === "commit") {
          commit(one.path);
          owed.add(one.path);
        } else if (one.do === "ask") ask();
        else clock.advance(one.ms);
      }
      clock.advance(300_000);
      ask();
      expect([...owed]).toEqual([]);
      expect(take().waiting).toBe(0);
    }),
  );
});

it("tells at an edit what to look at again, at most every half minute, and drops nothing [GIT-6]", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constant("edit" as const), fc.nat(40_000)), { maxLength: 60 }), (steps) => {
      const { clock, commit, refresh } = world();
      const committed: string[] = [];
      const told: { readonly at: number; readonly paths: readonly string[] }[] = [];
      for (const step of steps) {
        if (step === "edit") told.push({ at: clock.monotonic(), paths: refresh() });
        else {
          clock.advance(step);
          committed.push(`${committed.length}.ts`);
          commit(committed.at(-1)!);
        }
      }
      clock.advance(30_000);
      told.push({ at: clock.monotonic(), paths: refresh() });
      expect(told.flatMap(({ paths }) => paths)).toEqual(committed);
      const times = told.filter(({ paths }) => paths.length > 0).map(({ at }) => at);
      for (let at = 1; at < times.length; at++) expect(times[at]! - times[at - 1]!).toBeGreaterThanOrEqual(30_000);
    }),
  );
});

it("is eager while few commits come and lazy while many do, and changes back only well below [GIT-6]", () => {
  const { clock, commit, isLazy } = world();
  for (let count = 0; count < 10; count++) commit("a.ts");
  expect(isLazy()).toBe(false);
  commit("a.ts");
  expect(isLazy()).toBe(true);
  clock.advance(300_000);
  for (let count = 0; count < 8; count++) commit("a.ts");
  clock.advance(300_001);
  expect(isLazy()).toBe(true);
  clock.advance(300_000);
  expect(isLazy()).toBe(false);
});
