/**
 * The input of a command or prompt: the results of its dependencies, and its session.
 *
 *   dispatch context -> NodeInput, bounded -> JSON in a file (command) | fenced text (prompt)
 */
import { untrusted } from "../../platform/untrusted-text.ts";
import type { DispatchContext } from "../dag/index.ts";

export type NamedJson = Readonly<Record<string, unknown>>;

/** The result of a node, which its dependents get. */
export type NodeResult = {
  readonly exitCode?: number;
  /** The last part of its output. */
  readonly text: string;
  readonly model?: string;
  readonly label?: string;
  readonly context?: NamedJson;
  readonly artifacts?: NamedJson;
};

export type NodeInput = {
  readonly session: NamedJson;
  /** Results by name of the dependency. A dependency that was skipped as done has none. */
  readonly parents: Readonly<Record<string, NodeResult>>;
  /** Dependencies whose results did not fit. */
  readonly omitted: readonly string[];
};

type Given = Pick<DispatchContext, "parents" | "parentContexts" | "session">;

/** Adds dependencies in order, as long as their JSON together has at most `longest` characters. */
export function nodeInput({ parents, parentContexts, session }: Given, longest: number): NodeInput {
  const given: Record<string, NodeResult> = {};
  const omitted: string[] = [];
  let left = longest;
  for (const [name, result] of parents) {
    const { text = "", artifacts = {}, ...rest } = (result ?? {}) as Partial<NodeResult>;
    const parent: NodeResult = { ...rest, text, context: parentContexts.get(name) ?? {}, artifacts };
    left -= JSON.stringify(parent).length;
    if (left >= 0) given[name] = parent;
    else omitted.push(name);
  }
  return { session, parents: given, omitted };
}

/** Fences the input as untrusted data: other commands, models and people wrote it. */
export function withInput(prompt: string, { session, parents, omitted }: NodeInput): string {
  const parts = Object.entries(parents).map(([name, parent]) => `## ${name}\n\n${untrusted(parentText(parent), name)}`);
  if (omitted.length > 0) parts.push(`These did not fit here: ${omitted.join(", ")}.`);
  const sections = [
    ...(parts.length === 0 ? [] : [`# What came before\n\n${parts.join("\n\n")}`]),
    ...(isEmpty(session) ? [] : [`# The session\n\n${untrusted(JSON.stringify(session, undefined, 2), "session")}`]),
  ];
  return [prompt, ...sections].join("\n\n");
}

function parentText({ text, context = {}, artifacts = {} }: NodeResult): string {
  const named = Object.entries({ context, artifacts }).filter(([, values]) => !isEmpty(values));
  return [text, ...named.map(([what, values]) => `${what}: ${JSON.stringify(values)}`)].join("\n\n");
}

function isEmpty(values: NamedJson): boolean {
  return Object.keys(values).length === 0;
}
