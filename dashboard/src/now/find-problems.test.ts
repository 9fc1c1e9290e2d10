import { expect, it } from "vitest";
import { findProblems } from "./find-problems.ts";

const health = { enforced: true, incidents: [] } as never;

it("finds nothing wrong where nothing is known to be wrong", () => {
  expect(findProblems({ agents: undefined, health: undefined })).toEqual([]);
  expect(findProblems({ agents: { items: [{ guard: "guarded" }] } as never, health })).toEqual([]);
});

const codex = "codex is NOT guarded: .codex/hooks.json has none of our hooks";

it("puts missing protection before incidents, and incidents before unguarded agents [DASH-1]", () => {
  const agents = {
    items: [{ id: "agt_1", name: "heron", guard: "unguarded" }],
    notEnforced: "the disk is full",
    notInstalled: [codex, "commits are NOT checked: pre-commit has no commit gate"],
  };
  const incident = { id: "inc_1", summary: "pre-edit failed 4 times", fix: "Make room on the disk" };
  const problems = findProblems({
    agents: agents as never,
    health: { enforced: false, incidents: [incident] } as never,
  });
  expect(problems.map(({ title, detail, command }) => [title, detail, command])).toEqual([
    ["Agents are unprotected", "the disk is full", "sylk doctor"],
    ["codex is NOT guarded", ".codex/hooks.json has none of our hooks", "sylk install codex"],
    ["commits are NOT checked", "pre-commit has no commit gate", "sylk doctor"],
    ["pre-edit failed 4 times", "Make room on the disk", "sylk health"],
    ["heron edits without a guard", "no hook of its session has asked", "sylk doctor"],
  ]);
});

it("folds agents that are unguarded for one reason into one problem", () => {
  const unguarded = (name: string, guardReason: string) => ({ id: name, name, guard: "unguarded", guardReason });
  const items = [unguarded("heron", "no hook"), unguarded("otter", "no hook"), unguarded("wren", "not trusted")];
  expect(
    findProblems({ agents: { items } as never, health }).map(({ title, detail, agents }) => [
      title,
      detail,
      agents?.map(({ name }) => name),
    ]),
  ).toEqual([
    ["2 agents edit without a guard", "no hook", ["heron", "otter"]],
    ["wren edits without a guard", "not trusted", ["wren"]],
  ]);
});
