import { expect, it } from "vitest";
import { findProblems } from "./find-problems.ts";

const health = { enforced: true, incidents: [] } as never;

it("finds nothing wrong where nothing is known to be wrong", () => {
  expect(findProblems({ agents: undefined, health: undefined })).toEqual([]);
  expect(findProblems({ agents: { items: [{ guard: "guarded" }] } as never, health })).toEqual([]);
});

it("puts missing protection before incidents, and incidents before unguarded agents [DASH-1]", () => {
  const agents = {
    items: [{ id: "agt_1", name: "heron", guard: "unguarded" }],
    notEnforced: "the disk is full",
    notInstalled: ["codex"],
  };
  const incident = { id: "inc_1", summary: "pre-edit failed 4 times", fix: "Make room on the disk" };
  const problems = findProblems({ agents: agents as never, health: { enforced: false, incidents: [incident] } as never });
  expect(problems.map(({ title, command }) => [title, command])).toEqual([
    ["Agents are unprotected", "sylk doctor"],
    ["The hooks of codex are missing or not trusted", "sylk install codex"],
    ["pre-edit failed 4 times", "sylk health"],
    ["heron edits without a guard", "sylk doctor"],
  ]);
});
