import { describe, expect, it } from "vitest";
import type { Caller, RunStatus } from "../../contract/index.ts";
import { user } from "../graphs/testkit.ts";
import { findNode, openStatuses, refuseSkipByAgent, refuseUnless, underWay } from "./guard-run.ts";
import type { KnownNode } from "./run-nodes.ts";
import type { RunRecord } from "./store.ts";

const run = (status: RunStatus) => ({ id: "run_1", status }) as RunRecord;
const node = (id: string, spec: Partial<KnownNode["spec"]>) => ({ id, spec: { title: id, ...spec } }) as KnownNode;
const agent = { kind: "agent" } as Caller;

describe("a refusal by status", () => {
  it("says what is, what it needs, and that something is done already", () => {
    expect(() => refuseUnless(run("paused"), openStatuses, "cancelled")).not.toThrow();
    expect(() => refuseUnless(run("cancelled"), openStatuses, "cancelled")).toThrow("Run run_1 is already cancelled.");
    expect(() => refuseUnless(run("verified"), underWay, "paused")).toThrow(
      "Run run_1 is verified, so it cannot be paused. That needs a run that is planning or running or awaiting_approval.",
    );
  });
});

describe("a skip", () => {
  it.each(["approval", "check", "judge", "conclude"] as const)("of a %s is the user's", (kind) => {
    expect(() => refuseSkipByAgent(node("x", { kind }), agent)).toThrow("Only the user skips");
    expect(() => refuseSkipByAgent(node("x", { kind }), user)).not.toThrow();
  });

  it.each(["engineer", "plan"] as const)("of a node that is an %s is open to agents", (kind) => {
    expect(() => refuseSkipByAgent(node("x", { kind }), agent)).not.toThrow();
  });
});

describe("a node", () => {
  const nodes = [
    node("nod_1", { kind: "engineer", title: "Add prices" }),
    node("nod_2", { kind: "check", check: "tests", title: "Run the tests", round: 0 }),
    node("nod_3", { kind: "check", check: "tests", title: "Run the tests", round: 1 }),
    node("nod_4", { kind: "judge", title: "Judge the checks" }),
  ];

  it.each([
    ["nod_2", "nod_2"],
    ["add PRICES", "nod_1"],
    ["tests", "nod_3"],
    ["Run the tests", "nod_3"],
    ["judge", "nod_4"],
  ])("is found by %s", (wanted, id) => {
    expect(findNode(run("running"), wanted, nodes).id).toBe(id);
  });

  it("that is not there is refused with the nearest name", () => {
    expect(() => findNode(run("running"), "jude", nodes)).toThrow(/run_1 has no node "jude".*judge/);
  });
});
