import { expect, it } from "vitest";
import { readPlanVersions } from "./read-plan-versions.ts";

const planned = (sequence: number, round: number, ...nodes: readonly [id: string, prompt: string][]) => ({
  sequence,
  at: sequence,
  type: "run.planned",
  data: { round, nodes: nodes.map(([id, prompt]) => ({ id, title: id, prompt, role: "engineer", dependsOn: [] })) },
});
const node = (id: string, kind: string, round: number) => ({ id, kind, round, title: id });

it("tells of each version what it added and changed, where it came from, and what has left the plan", () => {
  const events = [
    planned(1, 0, ["price", "one"], ["label", "two"]),
    { ...planned(2, 0), type: "run.spent" },
    planned(3, 0, ["price", "three"]),
    planned(4, 1, ["fix", "four"]),
    planned(5, 2, ["tax", "five"]),
  ];
  const nodes = [
    node("plan", "plan", 0),
    node("price", "engineer", 0),
    node("fix", "engineer", 1),
    node("again", "plan", 2),
    node("tax", "engineer", 2),
  ];
  const { versions, removed } = readPlanVersions(events as never, nodes as never);
  expect(versions.map(({ number, origin, added, changed }) => [number, origin, added.length, changed.length])).toEqual([
    [1, "first plan", 2, 0],
    [2, "changed by hand", 0, 1],
    [3, "correction after the checks", 1, 0],
    [4, "made with feedback", 1, 0],
  ]);
  expect(versions[1]!.changed[0]!.lines).toEqual([
    { kind: "same", text: "price" },
    { kind: "removed", text: "one" },
    { kind: "added", text: "three" },
  ]);
  expect(removed.map(({ id }) => id)).toEqual(["label"]);
});
