import { describe, expect, it } from "vitest";
import { dag as contract, type DagNodeTerms, DomainError } from "../../contract/index.ts";
import { createRedactor } from "../../platform/redact/index.ts";
import { acceptGraph, foldChanges, type GraphRules } from "./graph.ts";
import type { WrittenSpec } from "./store.ts";

const policy = contract.DagPolicy.parse({});
const terms = (nodes: Readonly<Record<string, unknown>>): Record<string, DagNodeTerms> =>
  Object.fromEntries(Object.entries(nodes).map(([name, node]) => [name, contract.DagNodeTerms.parse(node)]));
const split = (line: string): readonly [string, ...string[]] | undefined =>
  line.includes("|") ? undefined : (line.split(" ") as [string, ...string[]]);
const redactor = createRedactor();
const rules: GraphRules = {
  splitCommand: split,
  clean: redactor.value,
  pathProblem: (kind, text) => (text.startsWith("/") ? `${kind} are relative` : undefined),
};

function problemsOf(nodes: Readonly<Record<string, unknown>>, by = rules): readonly string[] {
  try {
    acceptGraph("dag.run", { nodes: terms(nodes), policy, mode: "eager" }, by);
    return [];
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return (error.details.problems as { path: string; message: string }[]).map(
      ({ path, message }) => `${path}: ${message}`,
    );
  }
}

describe("a graph", () => {
  it("is accepted with its commands as words", () => {
    const nodes = terms({ lint: { run: "npm run lint" }, test: { run: ["npm", "test"], dependsOn: ["lint"] } });
    const change = acceptGraph("dag.run", { nodes, policy, mode: "eager" }, rules);
    expect(Object.values(change.nodes as Record<string, WrittenSpec>).map(({ run }) => run)).toEqual([
      ["npm", "run", "lint"],
      ["npm", "test"],
    ]);
  });

  it("is refused with everything that is wrong with it, each at its place [DAG-8, DAG-9]", () => {
    expect(
      problemsOf({
        a: { run: "ls | wc", dependsOn: ["b"] },
        b: { run: "true", dependsOn: ["a"], cwd: "../elsewhere" },
        c: { dependsOn: ["nowhere"] },
        d: { run: "true", prompt: "Why?", role: "librarian", env: { "A-B": "1" } },
        e: { run: [""], cwd: "/etc" },
      }),
    ).toEqual([
      'nodes.a.run: needs a shell; write ["sh", "-c", "ls | wc"]',
      "nodes.b.cwd: must be a folder inside the repository, written relative to it",
      "nodes.c: needs either run or prompt",
      "nodes.d: has both run and prompt; split it into two nodes",
      "nodes.d.role: applies to prompts, not to commands; remove it",
      'nodes.d.env: "A-B" is not a valid variable name',
      "nodes.e.run: needs a program as its first word",
      "nodes.e.cwd: must be a folder inside the repository, written relative to it",
      'nodes.c.dependsOn: "c" depends on "nowhere", which is not in the graph',
      "nodes.a.dependsOn: dependency cycle: a → b → a; remove one of these dependencies",
    ]);
  });

  it("is refused where it reserves what is no path, or where there is no agent to reserve for", () => {
    const nodes = { a: { run: "ls", reserves: { paths: ["a.ts", "/etc/hosts"], patterns: ["/**"] } } };
    expect(problemsOf(nodes)).toEqual([
      "nodes.a.reserves.paths.1: paths are relative",
      "nodes.a.reserves.patterns.0: patterns are relative",
    ]);
    expect(problemsOf(nodes, { ...rules, pathProblem: undefined })).toEqual([
      'nodes.a.reserves: needs the daemon, which keeps reservations; start the graph with "sylk dag run"',
    ]);
  });

  it("is refused with a secret in a command, however it is spelled, and keeps prompts without it", () => {
    const secret = "q1w2e3r4t5y6";
    const nodes = {
      flag: { run: ["curl", "--api-key", secret] },
      line: { run: `deploy password=${secret}` },
      variable: { run: "deploy", env: { DEPLOY_TOKEN: secret } },
      reference: { run: ["sh", "-c", 'deploy --password "$DEPLOY_PASSWORD"'] },
    };
    const problems = problemsOf(nodes);
    expect(problems.map((problem) => problem.split(": ")[0])).toEqual([
      "nodes.flag.run",
      "nodes.line.run",
      "nodes.variable.env",
    ]);
    expect(problems.join()).not.toContain(secret);
    const prompt = terms({ ask: { prompt: `Is password=${secret} safe?` } });
    const change = acceptGraph("dag.run", { nodes: prompt, policy, mode: "eager" }, rules);
    expect(change.nodes.ask?.prompt).toBe("Is password=[redacted] safe?");
  });

  it("without nodes is refused", () => {
    expect(problemsOf({})).toEqual(["nodes: the graph has no nodes; plan at least one"]);
  });

  it("is folded from its versions, with replaced nodes at the end, as the engine has them", () => {
    const [a, b, c] = ["a", "b", "c"].map((word) => ({ ...terms({ x: { run: [word] } }).x!, run: [word] as [string] }));
    const graph = foldChanges([
      { nodes: { a: a!, b: b!, c: c! }, remove: [] },
      { nodes: { d: a!, a: b! }, remove: ["c"] },
    ]);
    expect([...graph].map(([name, spec]) => [name, (spec as WrittenSpec).run])).toEqual([
      ["b", ["b"]],
      ["d", ["a"]],
      ["a", ["b"]],
    ]);
  });
});
