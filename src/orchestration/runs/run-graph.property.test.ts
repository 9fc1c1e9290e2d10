import fc from "fast-check";
import { expect, it } from "vitest";
import type { NodeId, Plan } from "../../contract/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { randomIds } from "../../platform/ids/index.ts";
import { validateDag } from "../dag/index.ts";
import { acyclicNodes } from "../dag/testkit.ts";
import type { RunNodeSpec } from "../graphs/index.ts";
import { engineDag } from "../graphs/testkit.ts";
import { firstGraph, graphOptions, nodesOfPlan, nodesOfRound, type RunNodes } from "./run-graph.ts";

const ids = randomIds(manualClock());
const options = graphOptions({ tree: "/", provider: undefined, rehearse: undefined, environment: {} });

const plans: fc.Arbitrary<Plan> = acyclicNodes(10).map((nodes) => {
  const idOf = new Map<string, NodeId>(nodes.map(({ id }) => [id, ids.next("nod")]));
  return {
    id: ids.next("pln"),
    summary: "A plan",
    nodes: nodes.map(({ id, title, role, prompt, dependsOn }) => ({
      id: idOf.get(id)!,
      title,
      role,
      prompt,
      dependsOn: dependsOn.map((parent) => idOf.get(parent)!),
    })),
  };
});

/** Everything that has succeeded before this node begins. */
function before(nodes: RunNodes, id: string): ReadonlySet<string> {
  const found = new Set<string>();
  const left = [...nodes[id]!.dependsOn];
  for (let parent = left.pop(); parent !== undefined; parent = left.pop())
    if (!found.has(parent)) {
      found.add(parent);
      left.push(...nodes[parent]!.dependsOn);
    }
  return found;
}

const kinds = (nodes: RunNodes, kind: RunNodeSpec["kind"], round: number): readonly string[] =>
  Object.keys(nodes).filter((id) => nodes[id]!.kind === kind && nodes[id]!.round === round);

it("every plan and every correction gives a valid graph: work after approval or plan, checks after all work, the conclusion at the end", () => {
  fc.assert(
    fc.property(plans, fc.boolean(), fc.nat(3), (plan, approved, corrections) => {
      const first = firstGraph(ids).nodes as RunNodes;
      const start = Object.keys(first).find((id) => first[id]!.kind === "plan")!;
      let nodes: RunNodes = { ...first, ...nodesOfPlan(plan, { after: start, approved }, ids) };
      for (let round = 1; round <= corrections; round++) {
        const [judge] = kinds(nodes, "judge", round - 1);
        const [node] = plan.nodes;
        const fix = { ...node!, id: ids.next("nod"), dependsOn: [] };
        nodes = { ...nodes, ...nodesOfRound({ round, nodes: [fix], after: judge!, lastJudge: judge! }, ids) };
      }
      const dag = engineDag(new Map(Object.entries(nodes)), options);
      expect(validateDag(dag)).toMatchObject({ valid: true });
      expect(dag.nodes.filter(({ final }) => final).map(({ id }) => nodes[id]!.kind)).toEqual(["conclude"]);

      const approvals = kinds(nodes, "approval", 0);
      expect(approvals).toHaveLength(approved ? 0 : 1);
      const gate = approvals[0] ?? start;
      for (let round = 0; round <= corrections; round++) {
        const work = kinds(nodes, "engineer", round);
        expect(work).toHaveLength(round === 0 ? plan.nodes.length : 1);
        for (const id of work) expect(before(nodes, id)).toContain(gate);
        for (const check of kinds(nodes, "check", round))
          for (const id of work) expect(before(nodes, check)).toContain(id);
        const [judge] = kinds(nodes, "judge", round);
        for (const check of kinds(nodes, "check", round)) expect(nodes[judge!]!.dependsOn).toContain(check);
        if (round > 0) expect(nodes[judge!]!.dependsOn).toContain(kinds(nodes, "judge", round - 1)[0]);
      }
      const known = plan.nodes.every(({ id, dependsOn }) =>
        dependsOn.every((parent) => nodes[id]!.dependsOn.includes(parent)),
      );
      expect(known, "the plan's own order is kept").toBe(true);
    }),
  );
});
