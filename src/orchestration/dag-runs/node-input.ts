/**
 * Everything that a command or a prompt gets from outside: what its dependencies gave, and its session.
 *
 *   dispatch context -> NodeInput, bounded -> JSON in a file (command) | fenced text (prompt)
 */
import { untrusted } from "../../platform/untrusted-text.ts";
import type { DispatchContext } from "../dag/index.ts";

export type NamedJson = Readonly<Record<string, unknown>>;

/** What a node gives to those that depend on it. */
export type NodeResult = {
  readonly exitCode?: number;
  /** The end of what it said. */
  readonly text: string;
  readonly model?: string;
  readonly label?: string;
  readonly context?: NamedJson;
  readonly artifacts?: NamedJson;
};

export type NodeInput = {
  readonly session: NamedJson;
  /** By name. A dependency that was skipped and counts as done gave nothing. */
  readonly parents: Readonly<Record<string, NodeResult>>;
  /** Dependencies that did not fit. */
  readonly omitted: readonly string[];
};

type Given = Pick<DispatchContext, "parents" | "parentContexts" | "session">;

/** Dependencies come in their order, as long as their JSON has at most `longest` characters together. */
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

/** The model reads it as data: it was written by other commands, models and people. */
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
