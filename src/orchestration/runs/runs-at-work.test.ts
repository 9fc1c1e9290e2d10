import { expect, it } from "vitest";
import type { RunRecord } from "./store.ts";
import { busySessions, treesOfRuns } from "./runs-at-work.ts";

it("reads the trees of all runs, page by page", async () => {
  const all = Array.from({ length: 450 }, (_, n) => ({
    id: `run_${String(999 - n)}`,
    workspace: n % 2 === 0 ? { tree: `/trees/${n}` } : undefined,
  })) as unknown as RunRecord[];
  const trees = await treesOfRuns({
    async list({ before, limit }) {
      const from = before === undefined ? 0 : all.findIndex(({ id }) => id === before) + 1;
      return all.slice(from, from + limit);
    },
  });
  expect(trees.size).toBe(225);
});

it("counts a session with several runs under way once", async () => {
  const runs = [{ session: "ses_1" }, { session: "ses_2" }, { session: "ses_1" }] as unknown as RunRecord[];
  expect(await busySessions({ withStatus: async () => runs })).toBe(2);
});
