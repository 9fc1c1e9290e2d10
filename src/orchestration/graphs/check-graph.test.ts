import fc from "fast-check";
import { expect, it } from "vitest";
import { operations, parseInput } from "../../contract/index.ts";
import { graphProblems } from "./check-graph.ts";
import { acceptGraph, type GraphRules } from "./graph.ts";

const rules: GraphRules = {
  splitCommand: (line) => (/[|&;]/.test(line) ? undefined : (line.split(" ") as [string, ...string[]])),
  clean: (value) => value,
  roles: ["assistant"],
};

it("tells what is wrong in every layer, also of a node whose schema is wrong", () => {
  const nodes = { a: { run: "x | y", timeoutMs: "soon", dependsOn: ["b"] }, b: { run: 7, cwd: "/etc" }, c: [] };
  const paths = graphProblems({ nodes, mode: "fast" }, rules).map(({ path }) => path);
  expect(paths.toSorted()).toEqual([
    "mode",
    "nodes.a.run",
    "nodes.a.timeoutMs",
    "nodes.b.cwd",
    "nodes.b.run",
    "nodes.c",
  ]);
});

const field = <T>(...values: readonly T[]) => fc.constantFrom(...values);
const terms = fc.record(
  {
    run: field<unknown>("npm test", "a | b", ["ls"], [], 7),
    prompt: field<unknown>("Why?", ""),
    role: field("assistant", "wizard"),
    dependsOn: field<unknown>([], ["a"], ["b"], ["nowhere"], "a"),
    cwd: field("src", "../.."),
    env: field<unknown>({ A: "1" }, { "1": "a" }, []),
    timeoutMs: field<unknown>(1, 0),
    strange: field(1),
  },
  { requiredKeys: [] },
);
const graph = fc.record(
  { nodes: fc.dictionary(field("a", "b", "c d"), terms, { maxKeys: 3 }), mode: field("eager", "fast") },
  { requiredKeys: ["nodes"] },
);

it("finds no problem if and only if a run takes the graph, and then every problem that the run tells", () => {
  fc.assert(
    fc.property(graph, (written) => {
      const found = graphProblems(written, rules).map(({ path, message }) => `${path}: ${message}`);
      const refused = refusalOf(written);
      expect(found.length > 0).toBe(refused !== undefined);
      expect(found).toEqual(expect.arrayContaining(refused ?? []));
    }),
    { numRuns: 2_000 },
  );
});

function refusalOf(written: object): string[] | undefined {
  try {
    acceptGraph("dag.run", parseInput(operations["dag.run"], { ...written, project: { path: "/" } }), rules);
    return undefined;
  } catch (error) {
    const { problems } = (error as { details: { problems: { path: string; message: string }[] } }).details;
    return problems.map(({ path, message }) => `${path}: ${message}`);
  }
}
