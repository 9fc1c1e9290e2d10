/**
 * Scenarios written in a test: what a scripted model answers, node by node.
 *
 *   [plan({ key: "price" }), ...work("price", write("src/price.ts", …), finish())]
 */
export type Part =
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly text: string };
export type Turn = {
  readonly when: Readonly<Record<string, unknown>>;
  readonly reply: readonly Part[];
  readonly expect?: { readonly toolResult: string };
  readonly fault?: Readonly<Record<string, unknown>>;
  readonly usage?: { readonly input: number; readonly output: number };
};
/** One answer of the model: a call, several, or a turn with what is expected before it. */
export type Step = Part | readonly Part[] | Omit<Turn, "when">;
type PlannedNode = { readonly key: string; readonly role?: string; readonly dependsOn?: readonly string[] };

export const write = (path: string, content: string): Part => ({ tool: "write_file", input: { path, content } });
export const edit = (path: string, find: string, replace: string): Part => ({
  tool: "edit_file",
  input: { path, find, replace },
});
export const read = (path: string): Part => ({ tool: "read_file", input: { path } });
export const command = (...argv: readonly string[]): Part => ({ tool: "run_command", input: { argv } });
export const finish = (summary = "It holds now."): Part => ({ tool: "finish", input: { summary } });

/** The answer of this many proposals before it; the keys are in the prompts, and `work` finds them there. */
export function plan(nodes: readonly PlannedNode[], turn?: number): Turn {
  const proposed = nodes.map(({ key, role = "engineer", dependsOn = [] }) => ({
    key,
    title: `Node ${key}`,
    role,
    prompt: promptOf(key),
    dependsOn,
  }));
  return {
    when: { tool: "propose_plan", ...(turn === undefined ? {} : { turn }) },
    reply: [{ tool: "propose_plan", input: { summary: "A small plan.", nodes: proposed } }],
  };
}

export function work(key: string, ...steps: readonly Step[]): readonly Turn[] {
  return conversation(promptOf(key), steps);
}

/** The engineer who gets findings that mention this. */
export function correction(mention: string, ...steps: readonly Step[]): readonly Turn[] {
  return conversation(["The checks rejected the change", mention], steps);
}

/** Corrections first: what they quote may mention a node. */
function conversation(mentions: string | readonly string[], steps: readonly Step[]): readonly Turn[] {
  return steps.map((step, turn) => ({ ...turnOf(step), when: { tool: "finish", mentions, turn } }));
}

function turnOf(step: Step): Omit<Turn, "when"> {
  if ("reply" in step) return step;
  return { reply: Array.isArray(step) ? (step as readonly Part[]) : [step as Part] };
}

function promptOf(key: string): string {
  return `Do the work named "${key}" here.`;
}
