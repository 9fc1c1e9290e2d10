import { describe, expect, it } from "vitest";
import type { Caller, NodeState, RawInputOf } from "../../contract/index.ts";
import { run as contract } from "../../contract/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { randomIds } from "../../platform/ids/index.ts";
import type { Adjustment } from "../dag/index.ts";
import { type RunNodeSpec, specOf } from "../graphs/index.ts";
import { user } from "../graphs/testkit.ts";
import { runAdjustment } from "./adjust-run.ts";
import { changedApproval } from "./approve-plan.ts";
import { firstGraph, nodesOfPlan, type RunNodes } from "./run-graph.ts";
import type { KnownNode } from "./run-nodes.ts";
import type { RunRecord } from "./store.ts";
import { planOf } from "./testkit.ts";

const ids = randomIds(manualClock());
const agent = { kind: "agent" } as unknown as Caller;

/** A run with a plan of two nodes; what is not said has not begun. */
function world(approve: boolean, states: Partial<Record<RunNodeSpec["kind"], NodeState>> = {}) {
  const first = firstGraph(ids).nodes as RunNodes;
  const start = Object.keys(first)[0]!;
  const specs = { ...first, ...nodesOfPlan(planOf(ids, "One", "Two"), { after: start, approved: approve }, ids) };
  const nodes = Object.entries(specs).map(([id, spec]): KnownNode => {
    const state = states[spec.kind] ?? (spec.kind === "plan" ? "succeeded" : "pending");
    return { id, spec, row: undefined, record: { state, attempt: 0, retries: 0 } };
  });
  const run = { id: "run_1", options: { approve } } as unknown as RunRecord;
  const idOf = (kind: RunNodeSpec["kind"], check?: string) =>
    nodes.find(({ spec }) => spec.kind === kind && spec.check === check)!.id;
  const adjust = (wanted: Omit<RawInputOf<"run.adjust">, "id">, caller: Caller = user) =>
    named(runAdjustment(contract.adjust.input.omit({ id: true }).parse(wanted), { run, nodes, caller }, ids));
  return { nodes, idOf, adjust };
}

type Change = RunNodeSpec & { readonly id: string };
function named({ add = [], replace = [], remove = [] }: Adjustment) {
  const known = (given: typeof add) => given.map((node): Change => ({ id: node.id, ...(specOf(node) as RunNodeSpec) }));
  return { add: known(add), replace: known(replace), remove };
}
const ofKind = (changes: readonly Change[], kind: RunNodeSpec["kind"]) => changes.filter((one) => one.kind === kind);
const three = { nodes: { three: { title: "Three", prompt: "Do it" } } };

describe("a change of a plan", () => {
  it.each(["pending", "queued", "blocked"] as const)(
    "whose approval is still %s has the user asked again, about the plan as it is then",
    (state) => {
      const { idOf, adjust } = world(false, { approval: state });
      for (const caller of [user, agent]) {
        const { add, replace } = adjust(three, caller);
        expect(ofKind(add, "approval")).toEqual([]);
        expect(ofKind(replace, "approval").map(({ id }) => id)).toEqual([idOf("approval")]);
        expect(ofKind(add, "engineer")).toMatchObject([{ title: "Three", dependsOn: [idOf("approval")], round: 0 }]);
      }
    },
  );

  it("of an approved plan brings a further approval, which what it changed and the inspection wait for", () => {
    const { nodes, idOf, adjust } = world(false, { approval: "succeeded" });
    const one = idOf("engineer");
    const changed = { nodes: { ...three.nodes, [one]: { title: "One, better", prompt: "Do", dependsOn: ["three"] } } };
    const { add, replace } = adjust(changed);
    const [approval] = ofKind(add, "approval");
    expect(approval).toMatchObject({ title: changedApproval, dependsOn: [idOf("plan")] });
    const [fresh] = ofKind(add, "engineer");
    expect(fresh!.dependsOn).toEqual([approval!.id]);
    const [better] = ofKind(replace, "engineer");
    expect([better!.id, better!.dependsOn]).toEqual([one, [fresh!.id, approval!.id]]);
    const work = nodes.filter(({ spec }) => spec.kind === "engineer").map(({ id }) => id);
    const [inspection] = ofKind(replace, "check");
    expect(inspection!.id).toBe(idOf("check", "inspection"));
    expect(new Set(inspection!.dependsOn)).toEqual(new Set([...work, fresh!.id, approval!.id]));
  });

  it("waits for the open approval of an earlier change, also where it depends on nothing but finished work", () => {
    const { nodes, idOf, adjust } = world(false, { approval: "succeeded", engineer: "succeeded" });
    const spec: RunNodeSpec = { ...nodes.find(({ spec }) => spec.kind === "approval")!.spec, title: changedApproval };
    const earlier = { id: "nod_earlier", spec, row: undefined, record: { state: "blocked", attempt: 0, retries: 0 } };
    nodes.push(earlier as KnownNode);
    const done = idOf("engineer");
    const { add, replace } = adjust({ nodes: { four: { title: "Four", prompt: "Do", dependsOn: [done] } } }, agent);
    expect(ofKind(replace, "approval").map(({ id }) => id)).toEqual(["nod_earlier"]);
    expect(ofKind(add, "engineer")[0]!.dependsOn).toEqual([done, "nod_earlier"]);
    expect(ofKind(replace, "check")[0]!.dependsOn).toContain("nod_earlier");
  });

  it("is approved in advance for the user of a run that was, and for no agent", () => {
    const { idOf, adjust } = world(true);
    const byUser = adjust(three);
    expect([ofKind(byUser.add, "approval"), ofKind(byUser.add, "engineer")[0]!.dependsOn]).toEqual([
      [],
      [idOf("plan")],
    ]);
    expect(ofKind(adjust(three, agent).add, "approval")).toHaveLength(1);
  });

  it("that removes a node takes it from the inspection, too, and asks again", () => {
    const { nodes, idOf, adjust } = world(false, { approval: "succeeded" });
    const [one, two] = nodes.filter(({ spec }) => spec.kind === "engineer").map(({ id }) => id);
    const { add, replace, remove } = adjust({ remove: [one!] });
    const [approval] = ofKind(add, "approval");
    expect(remove).toEqual([one]);
    expect(replace.map(({ id, dependsOn }) => [id, dependsOn])).toEqual([
      [idOf("check", "inspection"), [two, approval!.id]],
    ]);
  });

  it.each(["plan", "approval", "check", "judge", "conclude"] as const)(
    "replaces or removes no %s, neither for the user nor for an agent",
    (kind) => {
      const { idOf, adjust } = world(false);
      const id = idOf(kind, kind === "check" ? "tests" : undefined);
      for (const caller of [user, agent]) {
        const refusal = expect.objectContaining({
          code: "input.invalid",
          message: expect.stringContaining(`the run's ${kind}`) as string,
        }) as Error;
        expect(() => adjust({ remove: [id] }, caller)).toThrow(refusal);
        expect(() => adjust({ nodes: { [id]: { title: "Mine", prompt: "Do" } } }, caller)).toThrow(refusal);
      }
    },
  );

  it("needs a plan", () => {
    const nodes = Object.entries(firstGraph(ids).nodes as RunNodes).map(([id, spec]): KnownNode => ({
      id,
      spec,
      row: undefined,
      record: { state: "queued", attempt: 0, retries: 0 },
    }));
    const run = { options: { approve: false } } as unknown as RunRecord;
    const wanted = contract.adjust.input.omit({ id: true }).parse(three);
    expect(() => runAdjustment(wanted, { run, nodes, caller: user }, ids)).toThrow("no plan to change yet");
  });
});
