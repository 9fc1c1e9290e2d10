import { expect, it } from "vitest";
import type { MergePlace, Merger } from "./ports.ts";
import { reportMerges } from "./report-merges.ts";

const place: MergePlace = {
  branch: "topic",
  source: "a1",
  into: "main",
  head: "b2",
  tree: "/srv/shop",
  at: "/srv/shop",
};
const terms = { message: "Merge topic into main", forward: false, check: async () => {} };

function scratch(outcome: () => Promise<{ state: "up-to-date"; commit: string }>) {
  const told: string[] = [];
  const merger: Merger = {
    locate: async () => place,
    isMerged: async () => false,
    merge: () => {
      told.push("merge");
      return outcome();
    },
  };
  const merging = (tree: string) => {
    told.push(`begin ${tree}`);
    return () => void told.push(`end ${tree}`);
  };
  return { told, merger: reportMerges(merger, merging) };
}

it("tells of a merge's begin and end around it, also of one that fails", async () => {
  const good = scratch(async () => ({ state: "up-to-date", commit: "b2" }));
  await good.merger.merge(place, terms);
  expect(good.told).toEqual(["begin /srv/shop", "merge", "end /srv/shop"]);
  const bad = scratch(() => Promise.reject(new Error("git died")));
  await expect(bad.merger.merge(place, terms)).rejects.toThrow("git died");
  expect(bad.told).toEqual(["begin /srv/shop", "merge", "end /srv/shop"]);
});

it("tells of none where no working tree has the target checked out", async () => {
  const bare = scratch(async () => ({ state: "up-to-date", commit: "b2" }));
  await bare.merger.merge({ ...place, tree: undefined }, terms);
  expect(bare.told).toEqual(["merge"]);
});
