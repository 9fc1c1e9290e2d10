/**
 * The three forms of a graph: as its author wrote it, as the store has it, and as the engine takes it.
 *
 *   terms -> accept: reports all problems, each with its path -> specs -> stored versions -> folded -> engine nodes
 */
import { type Caller, DomainError, type DagNodeTerms } from "../../contract/index.ts";
import { suggestion } from "../../platform/nearest-name.ts";
import { type Dag, type DagNode, type DagProblem, validateDag } from "../dag/index.ts";
import type { GraphOptions, GraphChange, NodeKind, NodeSpec, RunNodeSpec, WrittenSpec } from "./store.ts";

export type Graph = ReadonlyMap<string, NodeSpec>;
/** Undefined when the line needs a shell. */
export type SplitCommand = (line: string) => readonly [string, ...string[]] | undefined;

export type Problem = { readonly path: string; readonly message: string };

export type GraphRules = {
  readonly splitCommand: SplitCommand;
  /** Removes secrets. */
  readonly clean: <T>(value: T) => T;
  /** Describes the problem of a path or glob. Without this rule, nodes cannot reserve paths. */
  readonly pathProblem?: ((kind: "paths" | "patterns", text: string) => string | undefined) | undefined;
  /** Roles that a prompt may have. Without this rule any name is a role: the author carries the nodes out. */
  readonly roles?: readonly string[];
};

/** The role of nodes that are commands. */
const commandRole = "command";
const defaultRole = "assistant";
/** Longer than any node runs. Executors keep the real timeouts, because waiting for a pool slot does not count. */
const engineTimeoutMs = 7 * 86_400_000;
const variable = /^[A-Za-z_][A-Za-z0-9_]*$/;

export function foldChanges(changes: readonly GraphChange[]): Graph {
  const graph = new Map<string, NodeSpec>();
  for (const { nodes, remove } of changes) {
    for (const name of remove) graph.delete(name);
    // A replaced node moves to the end, as in the engine.
    for (const name of Object.keys(nodes)) graph.delete(name);
    for (const [name, spec] of Object.entries(nodes)) graph.set(name, spec);
  }
  return graph;
}

export function kindOf(spec: NodeSpec): NodeKind {
  return spec.kind ?? (spec.run === undefined ? "prompt" : "command");
}

export function isOfRun(spec: NodeSpec): spec is RunNodeSpec {
  return spec.kind !== undefined;
}

export function roleOf(spec: NodeSpec): string {
  if (isOfRun(spec)) return spec.role;
  return spec.run === undefined ? (spec.role ?? defaultRole) : commandRole;
}

export function shownText({ run, prompt = "" }: WrittenSpec, longest: number): string {
  const text =
    run === undefined ? prompt : run.map((word) => (/[\s"']/.test(word) ? JSON.stringify(word) : word)).join(" ");
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

export function engineNode(id: string, spec: NodeSpec): DagNode {
  return {
    id,
    role: roleOf(spec),
    title: isOfRun(spec) ? spec.title : id,
    prompt: spec.prompt ?? "",
    dependsOn: spec.dependsOn,
    timeoutMs: engineTimeoutMs,
    metadata: { spec },
    ...(spec.kind === "conclude" ? { final: true } : {}),
    ...(isOfRun(spec) || spec.retry === undefined ? {} : { retry: spec.retry }),
  };
}

/** The inverse of `engineNode`. */
export function specOf({ metadata }: DagNode): NodeSpec {
  return metadata?.spec as NodeSpec;
}

export function engineDag(graph: Graph, { policy, mode }: Pick<GraphOptions, "policy" | "mode">): Dag {
  const { maxConcurrency, failFast, retry: defaultRetry } = policy;
  return {
    nodes: [...graph].map(([id, spec]) => engineNode(id, spec)),
    policy: { mode, maxConcurrency, failFast, defaultRetry, defaultTimeoutMs: engineTimeoutMs },
  };
}

/** Throws `input.invalid` with all problems, so that the author can correct the file in one go. */
export function acceptGraph(
  operation: string,
  {
    nodes,
    policy,
    mode,
  }: { readonly nodes: Readonly<Record<string, DagNodeTerms>> } & Pick<GraphOptions, "policy" | "mode">,
  rules: GraphRules,
  author?: Caller,
): GraphChange {
  const problems: Problem[] = [];
  const specs = acceptNodes(nodes, rules, problems, author);
  const validation = validateDag(engineDag(new Map(Object.entries(specs)), { policy, mode }));
  if (!validation.valid) problems.push(...validation.problems.map(withPath));
  refuse(operation, problems);
  return { nodes: specs, remove: [] };
}

export function acceptNodes(
  nodes: Readonly<Record<string, DagNodeTerms>>,
  rules: GraphRules,
  problems: Problem[],
  author?: Caller,
): Record<string, WrittenSpec> {
  const specs: Record<string, WrittenSpec> = {};
  const by = author?.kind === "agent" ? { by: author.agent.id } : {};
  for (const [name, terms] of Object.entries(nodes)) {
    const report = (field: string, message: string): void =>
      void problems.push({ path: field === "" ? `nodes.${name}` : `nodes.${name}.${field}`, message });
    const prompt = terms.prompt === undefined ? {} : { prompt: rules.clean(terms.prompt) };
    specs[name] = { ...terms, ...prompt, ...by, run: commandOf(terms, rules.splitCommand, report) };
    checkRest(terms, report);
    checkRole(terms, rules, report);
    checkReserves(terms, rules, report);
    refuseSecrets(terms, rules, report);
  }
  return specs;
}

type Report = (field: string, message: string) => void;

function commandOf({ run, prompt }: DagNodeTerms, split: SplitCommand, report: Report): WrittenSpec["run"] {
  if (run === undefined) {
    if (prompt === undefined) report("", "needs either run or prompt");
    return undefined;
  }
  if (prompt !== undefined) report("", "has both run and prompt; split it into two nodes");
  const argv = typeof run === "string" ? split(run) : asArgv(run);
  if (argv === undefined)
    report("run", `needs a shell; write ["sh", "-c", ${JSON.stringify(String(run).slice(0, 200))}]`);
  else if (argv[0] === "") report("run", "needs a program as its first word");
  return argv;
}

function asArgv([program = "", ...rest]: readonly string[]): readonly [string, ...string[]] {
  return [program, ...rest];
}

function checkRest({ run, role, cwd, env }: DagNodeTerms, report: Report): void {
  if (run !== undefined && role !== undefined) report("role", "applies to prompts, not to commands; remove it");
  if (cwd !== undefined && (cwd.startsWith("/") || cwd.split("/").includes("..")))
    report("cwd", "must be a folder inside the repository, written relative to it");
  for (const name of Object.keys(env))
    if (!variable.test(name)) report("env", `"${name}" is not a valid variable name`);
}

function checkRole({ run, role }: DagNodeTerms, { roles }: GraphRules, report: Report): void {
  if (roles === undefined || run !== undefined || role === undefined || roles.includes(role)) return;
  report("role", `unknown role ${JSON.stringify(role)}${suggestion(role, roles)} (known: ${roles.join(", ")})`);
}

function checkReserves({ reserves }: DagNodeTerms, { pathProblem }: GraphRules, report: Report): void {
  if (reserves === undefined) return;
  if (pathProblem === undefined)
    return report("reserves", 'needs the daemon, which keeps reservations; start the graph with "sylk dag run"');
  for (const kind of ["paths", "patterns"] as const)
    for (const [index, text] of reserves[kind].entries()) {
      const message = pathProblem(kind, text);
      if (message !== undefined) report(`reserves.${kind}.${index}`, message);
    }
}

/** The store keeps graphs, but never secrets. Removing a secret would change the command, so the graph is refused. */
function refuseSecrets({ run, cwd, env, reserves }: DagNodeTerms, { clean }: GraphRules, report: Report): void {
  const line = Array.isArray(run) ? run.join(" ") : run;
  for (const [field, value] of Object.entries({ run: line, cwd, env, reserves }))
    if (value !== undefined && JSON.stringify(clean(value)) !== JSON.stringify(value))
      report(
        field,
        "contains what looks like a secret, and Sylk stores graphs; let the command read it from a file or from its own login",
      );
}

const fields: Readonly<Partial<Record<DagProblem["type"], string>>> = {
  "unknown-dependency": ".dependsOn",
  "self-dependency": ".dependsOn",
  cycle: ".dependsOn",
};

export function withPath({ type, message, nodes: [node] }: DagProblem): Problem {
  if (node === undefined) return { path: type === "policy" ? "policy" : "nodes", message };
  return { path: `nodes.${node}${fields[type] ?? ""}`, message };
}

export function refuse(operation: string, problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  const shown = problems.slice(0, 5).map(({ path, message }) => `${path}: ${message}`);
  throw new DomainError("input.invalid", `${operation}: ${shown.join("; ")}`, {
    details: { problems: problems.slice(0, 100) },
  });
}
