import { describe, expect, it } from "vitest";
import { manualClock } from "../../platform/clock/index.ts";
import { randomIds } from "../../platform/ids/index.ts";
import { acceptProposal } from "./accept-proposal.ts";
import { PlanProposal } from "./proposal.ts";

const ids = randomIds(manualClock());
const node = (key: string, dependsOn: readonly string[] = [], role = "engineer") => ({
  key,
  title: `Title of ${key}`,
  role,
  prompt: `Do ${key}`,
  dependsOn,
});
const accept = (...nodes: readonly object[]) => acceptProposal(PlanProposal.parse({ summary: "A plan", nodes }), ids);

describe("acceptProposal", () => {
  it("gives nodes ids of their own and dependencies by id, in the model's order [RUN-2]", () => {
    const acceptance = accept(node("b", ["a"]), node("a"));
    if (!("plan" in acceptance)) throw new Error("refused");
    const [b, a] = acceptance.plan.nodes;
    expect([b!.title, a!.title, b!.dependsOn, a!.dependsOn]).toEqual(["Title of b", "Title of a", [a!.id], []]);
    expect([a!.id, b!.id].every((id) => id.startsWith("nod_"))).toBe(true);
  });

  it("tells every problem at once: cycle, unknown role, unknown dependency, repeated key [RUN-2]", () => {
    const acceptance = accept(
      node("a", ["b"]),
      node("b", ["a"]),
      node("c", ["nothing"]),
      node("d", [], "wizard"),
      node("d"),
    );
    if (!("problems" in acceptance)) throw new Error("accepted");
    const told = acceptance.problems.join("\n");
    for (const word of [/wizard/, /nothing/, /"?d"?/]) expect(told).toMatch(word);
    expect(acceptance.problems.length).toBeGreaterThanOrEqual(3);
    expect(accept(node("a", ["a"]))).toHaveProperty("problems");
    expect(accept(node("a", ["b"]), node("b", ["c"]), node("c", ["a"]))).toHaveProperty("problems");
  });

  it.each(["architect", "orchestrator", "tester", "user", ""])("lets no plan name %j as who does a node", (role) => {
    const parsed = PlanProposal.safeParse({ summary: "A plan", nodes: [node("a", [], role)] });
    expect(parsed.success && "plan" in acceptProposal(parsed.data, ids)).toBe(false);
  });
});
