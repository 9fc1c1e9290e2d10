/** A write that bypassed the guard, into a file that another agent holds: it becomes a finding, and the agents concerned are told. */
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
  /** The version that it overwrote. */
  readonly replaced?: string;
};

const longestPath = 200;

export async function reportWrite(
  { project, tree, path, holders, by, replaced }: ForeignWrite,
  ports: TreeWatchPorts,
): Promise<void> {
  const others = by.kind === "others" ? by.agents : [];
  const shown = path.length <= longestPath ? path : `…${path.slice(-longestPath)}`;
  const wanted = {
    summary: `${shown}, held by ${listed(holders)}, was written past the guard: ${whose(by)}`,
    severity: "important" as const,
    category: "unguarded-write",
    files: [{ path }],
    evidence: `In ${tree}. ${wayBack(path, replaced)}Read the file again before you continue; "git diff" shows the change. To get the file: "sylk wait", or "sylk negotiate" with its holder.`,
  };
  await ports.store.transact(project.id, async (tx) => {
    const agent = await ownAgent(project, tree, tx, ports);
    await addOwnFinding(wanted, { agent, project }, [...holders, ...others], tx, ports);
  });
}

function wayBack(path: string, replaced: string | undefined): string {
  if (replaced === undefined) return "";
  return `To put back what it overwrote: sylk file restore ${/[^\w./@+-]/.test(path) ? JSON.stringify(path) : path} --version ${replaced}\n`;
}

function whose(by: ForeignWrite["by"]): string {
  if (by.kind === "unattributed") return "the writer is unknown, no agent had a tool call under way";
  const calls = by.named ? "named it in a tool call" : "ran a command with unknown write targets";
  return `${listed(by.agents)} ${calls}`;
}

function listed(agents: readonly AgentRef[]): string {
  return agents.map(({ name }) => name).join(", ");
}
