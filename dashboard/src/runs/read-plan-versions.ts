/**
 * The versions of a run's plan, from the events that accepted them.
 *
 *   run.planned, run.planned, … -> each with what it added and changed; work that left the plan since then
 *
 * An event names the work that it adds or replaces. Removed work is in no event, so only its absence now is known.
 */
import type { LogEvent, PlanNode, Run } from "../daemon/contract.ts";
import { type DiffLine, diffLines } from "./diff-lines.ts";

export type PlanVersion = {
  readonly number: number;
  readonly at: number;
  readonly sequence: number;
  readonly origin: "first plan" | "changed by hand" | "made with feedback" | "correction after the checks";
  readonly added: readonly PlanNode[];
  readonly changed: readonly { readonly node: PlanNode; readonly lines: readonly DiffLine[] }[];
};
export type PlanVersions = { readonly versions: readonly PlanVersion[]; readonly removed: readonly PlanNode[] };

export function readPlanVersions(events: readonly LogEvent[], nodes: Run["nodes"]): PlanVersions {
  const known = new Map<string, PlanNode>();
  const rounds = new Set<number>();
  const plannedRounds = new Set(nodes.filter(({ kind }) => kind === "plan").map(({ round }) => round));
  const versions: PlanVersion[] = [];
  for (const { type, at, sequence, data } of events) {
    if (type !== "run.planned") continue;
    const { round, nodes: given } = data as unknown as { readonly round: number; readonly nodes: readonly PlanNode[] };
    const isNew = !rounds.has(round);
    const origin =
      rounds.size === 0
        ? "first plan"
        : !isNew
          ? "changed by hand"
          : plannedRounds.has(round)
            ? "made with feedback"
            : "correction after the checks";
    versions.push({
      number: versions.length + 1,
      at,
      sequence,
      origin,
      added: given.filter(({ id }) => !known.has(id)),
      changed: given
        .filter(({ id }) => known.has(id))
        .map((node) => ({ node, lines: diffLines(textOf(known.get(node.id)!), textOf(node)) })),
    });
    rounds.add(round);
    for (const node of given) known.set(node.id, node);
  }
  const present = new Set<string>(nodes.map(({ id }) => id));
  return { versions, removed: [...known.values()].filter(({ id }) => !present.has(id)) };
}

function textOf({ title, prompt, files = [] }: PlanNode): string {
  return [title, ...prompt.split("\n"), ...files.map((file) => `file: ${file}`)].join("\n");
}
