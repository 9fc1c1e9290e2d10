/** A write that bypassed the guard, into a file that another agent holds: it becomes a finding, and the agents concerned are told. */
import type { AgentRef, Project } from "../../contract/index.ts";
import { addOwnFinding } from "../findings/index.ts";
import { ownAgent } from "../registry/index.ts";
import type { Attribution } from "../attribution/index.ts";
import type { TreeWatchPorts } from "./ports.ts";

export type ForeignWrite = {
  readonly project: Project;
  readonly tree: string;
  readonly path: string;
  readonly holders: readonly AgentRef[];
  readonly by: LikelyWriters;
  /** The version that it overwrote. */
  readonly replaced?: string;
};

/**
 * restarted: an agent of the tree was not heard of since the daemon started, and may have a call under way.
 * not-running: the file changed before the daemon started.
 */
export type LikelyWriters = {
  readonly basis: Attribution["basis"] | "restarted" | "not-running";
  readonly agents: readonly AgentRef[];
};

const longestPath = 200;

export async function reportWrite(
  { project, tree, path, holders, by, replaced }: ForeignWrite,
  ports: TreeWatchPorts,
): Promise<void> {
  const others = by.agents.filter(({ id }) => !holders.some((holder) => holder.id === id));
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

function whose({ basis, agents }: LikelyWriters): string {
  const who = listed(agents);
  switch (basis) {
    case "named":
      return `${who} named it in a tool call`;
    case "under-way":
      return agents.length === 1
        ? `${who} ran a command with unknown write targets, the only call under way`
        : `one of ${who}, whose commands with unknown write targets were under way`;
    case "time-window":
      return agents.length === 1
        ? `probably ${who}, whose command with unknown write targets ran about that time`
        : `perhaps one of ${who}, whose commands with unknown write targets ran about that time`;
    case "restarted":
      return "the writer is unknown, because Sylk was restarted and not all agents were heard of since";
    case "not-running":
      return "it changed while Sylk was not running, so the writer is unknown and may be the holder itself";
    case "unknown":
      return "the writer is unknown, no call of an agent is known to have been under way";
  }
}

function listed(agents: readonly AgentRef[]): string {
  return agents.map(({ name }) => name).join(", ");
}
