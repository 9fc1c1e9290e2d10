/**
 * Every problem of a graph as its file has it, at once: of the schema, of the edges, and of what a node may do.
 *
 * A field that the schema refuses is left out, and the rest of its node is judged all the same.
 */
import { type Caller, dag, DomainError, operations, parseInput } from "../../contract/index.ts";
import { writtenEdgeProblems } from "../../platform/dependencies/index.ts";
import { acceptGraph, acceptNodes, type GraphRules, type Problem } from "./graph.ts";

type Written = Readonly<Record<string, unknown>>;

export function graphProblems(graph: Written, rules: GraphRules, author?: Caller): readonly Problem[] {
  const nodes = isMap(graph.nodes) ? graph.nodes : {};
  const problems = [...refusal(graph, rules, author)];
  for (const [name, terms] of Object.entries(nodes)) problems.push(...nodeProblems(name, terms, rules, author));
  problems.push(...writtenEdgeProblems(nodes, true));
  return [...new Map(problems.map((problem) => [`${problem.path}: ${problem.message}`, problem])).values()];
}

/** What a run would tell of it: of the schema alone, where that is wrong. */
function refusal(graph: Written, rules: GraphRules, author?: Caller): readonly Problem[] {
  try {
    acceptGraph("dag.check", parseInput(operations["dag.run"], { ...graph, project: { path: "/" } }), rules, author);
    return [];
  } catch (error) {
    if (error instanceof DomainError) return (error.details.problems ?? []) as readonly Problem[];
    throw error;
  }
}

function nodeProblems(name: string, terms: unknown, rules: GraphRules, author?: Caller): readonly Problem[] {
  const whole = dag.DagNodeTerms.safeParse(terms);
  const refused = new Set(whole.success ? [] : whole.error.issues.map(({ path: [field] }) => field));
  const rest = isMap(terms)
    ? Object.entries(terms).filter(([field]) => field in dag.DagNodeTerms.shape && !refused.has(field))
    : [];
  const known = whole.success ? whole : dag.DagNodeTerms.safeParse(Object.fromEntries(rest));
  if (!known.success) return [];
  const problems: Problem[] = [];
  acceptNodes({ [name]: known.data }, rules, problems, author);
  const isJudged = whole.success || !(refused.has("run") || refused.has("prompt") || !isMap(terms));
  return problems.filter(({ path }) => isJudged || path !== `nodes.${name}`);
}

function isMap(value: unknown): value is Written {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
