import { expect, it } from "vitest";
import type { Dag } from "./dag.ts";
import { dagLimits, type DagProblem, InvalidDag } from "./dag-problems.ts";
import { chain, graph, nodeOf, policy } from "./testkit.ts";
import { validateDag } from "./validate-dag.ts";

/** 100,000 nodes are a second of work, which may be a long one beside other work. */
const busyMachineMs = 60_000;

function problemsOf(dag: Dag, roles?: readonly string[]): readonly DagProblem[] {
  const validation = validateDag(dag, roles ? { roles: new Set(roles) } : {});
  return validation.valid ? [] : validation.problems;
}

it("gives the layers of a valid graph in the order of the plan, the same each time [DAG-3]", () => {
  const dag = graph({ test: ["api", "ui"], ui: ["base"], api: ["docs"], docs: [], base: [] });
  const expected = { valid: true, layers: [["docs", "base"], ["ui", "api"], ["test"]] };
  expect([validateDag(dag), validateDag(dag)]).toEqual([expected, expected]);
});

it("puts a node below the deepest of its dependencies", () => {
  const validation = validateDag(graph({ a: [], b: ["a"], c: ["b", "a"], d: ["a", "a"] }));
  expect(validation).toEqual({ valid: true, layers: [["a"], ["b", "d"], ["c"]] });
});

it("names an unknown dependency and who wants it [DAG-9]", () => {
  expect(problemsOf(graph({ a: [], b: ["a", "ghost"] }))).toEqual([
    {
      type: "unknown-dependency",
      message: '"b" depends on "ghost", which is not in the graph',
      nodes: ["b", "ghost"],
    },
  ]);
});

it("names a cycle as its path [DAG-8]", () => {
  const [problem, ...others] = problemsOf(graph({ start: [], a: ["start", "b"], b: ["c"], c: ["a"], after: ["c"] }));
  expect(problem).toMatchObject({ type: "cycle", nodes: ["a", "b", "c", "a"] });
  expect(problem?.message).toContain("a → b → c → a");
  expect(others).toEqual([]);
});

it("names a cycle of every knot, also of one that hangs below another", () => {
  const dag = graph({ a: ["b"], b: ["a"], c: ["a", "d"], d: ["e"], e: ["c"] });
  expect(problemsOf(dag).map(({ nodes }) => nodes.join())).toEqual(["a,b,a", "c,d,e,c"]);
});

it("refuses a node that depends on itself, once and not as a cycle", () => {
  expect(problemsOf(graph({ a: ["a", "a"] })).map(({ type }) => type)).toEqual(["self-dependency"]);
});

it("refuses an unknown role, and says which was probably meant", () => {
  const dag = { nodes: [nodeOf("a", [], { role: "enginer" })], policy };
  expect(problemsOf(dag, ["engineer", "inspector"])).toEqual([
    {
      type: "unknown-role",
      message: '"a" has the unknown role "enginer"; did you mean engineer? (known: engineer, inspector)',
      nodes: ["a"],
    },
  ]);
});

it("refuses an empty graph", () => {
  expect(problemsOf(graph({})).map(({ type }) => type)).toEqual(["empty-graph"]);
});

it("says everything at once", () => {
  const dag: Dag = {
    nodes: [
      nodeOf("a", ["ghost"]),
      nodeOf("a", ["a"]),
      nodeOf("b", ["c"], { role: "wizard" }),
      nodeOf("c", ["b"], { timeoutMs: 0, retry: { max: -1, backoffMs: Number.NaN } }),
      nodeOf(""),
      nodeOf("x".repeat(dagLimits.idLength + 1)),
    ],
    policy: { ...policy, maxConcurrency: 0 },
  };
  const types = problemsOf(dag, ["engineer"]).map(({ type }) => type);
  expect(types.join(" ")).toBe(
    "policy policy policy policy empty-id size duplicate-id unknown-role unknown-dependency self-dependency cycle",
  );
});

it(
  "refuses absurd sizes, and counts a hundred thousand problems without trouble",
  () => {
    const tooMany = chain(dagLimits.nodes + 1);
    expect(problemsOf(tooMany).map(({ type }) => type)).toEqual(["size"]);
    const many = { nodes: Array.from({ length: 150_000 }, (_, index) => nodeOf(`n${index}`, ["ghost"])), policy };
    expect(new InvalidDag(problemsOf(many)).message).toMatch(/the limit is 100000; .* and 149991 more$/);
  },
  busyMachineMs,
);

it(
  "finds the cycle of a hundred thousand nodes without recursion",
  () => {
    const { nodes } = chain(dagLimits.nodes);
    const closed = [nodeOf("n0", [`n${dagLimits.nodes - 1}`]), ...nodes.slice(1)];
    const [problem] = problemsOf({ nodes: closed, policy });
    expect(problem?.nodes.length).toBe(dagLimits.nodes + 1);
    expect(problem?.message).toMatch(
      /^dependency cycle: n0 → n99999 → .* → … → .* → n1 → n0; remove one of these dependencies$/,
    );
  },
  busyMachineMs,
);

it("accepts ids that an object would stumble over", () => {
  expect(validateDag(graph({ ["__proto__x"]: [], constructor: ["__proto__x"] })).valid).toBe(true);
  const dag = { nodes: [nodeOf("__proto__"), nodeOf("toString", ["__proto__"])], policy };
  expect(validateDag(dag)).toEqual({ valid: true, layers: [["__proto__"], ["toString"]] });
});
