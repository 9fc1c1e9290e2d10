/** A write into somebody's hold that did not come through the guard: a finding, and whom it concerns is told. */
import type { AgentRef, Project } from "../../contract/index.ts";
import { addOwnFinding } from "../findings/index.ts";
import { ownAgent } from "../registry/index.ts";
import type { Attribution } from "./attribute.ts";
import type { TreeWatchPorts } from "./ports.ts";

export type ForeignWrite = {
  readonly project: Project;
  readonly tree: string;
  readonly path: string;
  readonly holders: readonly AgentRef[];
  readonly by: Exclude<Attribution, { readonly kind: "own" }>;
};

const longestPath = 200;

export async function reportWrite(
  { project, tree, path, holders, by }: ForeignWrite,
  ports: TreeWatchPorts,
): Promise<void> {
  const others = by.kind === "others" ? by.agents : [];
  const shown = path.length <= longestPath ? path : `…${path.slice(-longestPath)}`;
  const wanted = {
    summary: `${shown}, held by ${listed(holders)}, was written past the guard: ${whose(by)}`,
    severity: "important" as const,
    category: "unguarded-write",
    files: [{ path }],
    evidence: `In ${tree}. Read the file again before you go on; "git diff" shows the change. Whoever needs the file: "sylk wait", or "sylk negotiate" with its holder.`,
  };
  await ports.store.transact(project.id, async (tx) => {
    const agent = await ownAgent(project, tree, tx, ports);
    await addOwnFinding(wanted, { agent, project }, [...holders, ...others], tx, ports);
  });
}

function whose(by: ForeignWrite["by"]): string {
  if (by.kind === "unattributed") return "by whom is not known, no tool call of an agent was under way";
  const calls = by.named ? "named it in a tool call" : "ran a command of which nobody knows what it writes";
  return `${listed(by.agents)} ${calls}`;
}

function listed(agents: readonly AgentRef[]): string {
  return agents.map(({ name }) => name).join(", ");
}
