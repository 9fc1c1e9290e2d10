/** A commit that went round the gate, or a gate that git does not run: a finding for the holders, and an entry in the audit. */
import type { AgentRef, Project } from "../../contract/index.ts";
import { theDaemon } from "../../platform/audit/index.ts";
import { addOwnFinding } from "../findings/index.ts";
import { ownAgent } from "../registry/index.ts";
import type { BranchTip, GateWatchPorts } from "./ports.ts";

export type Bypass = {
  readonly project: Project;
  readonly tree: string;
  readonly branch: BranchTip["branch"];
  readonly commit: string;
  /** Its paths that others hold. */
  readonly paths: readonly string[];
  readonly holders: readonly AgentRef[];
  /** Agents whose command was under way, or about that time. */
  readonly suspects: readonly AgentRef[];
  /** It was made while no daemon ran. */
  readonly isPast: boolean;
};

const mostNamed = 20;

export async function reportBypass(bypass: Bypass, ports: GateWatchPorts): Promise<void> {
  const { project, tree, branch, commit, paths, holders, suspects, isPast } = bypass;
  const short = commit.slice(0, 10);
  const more = paths.length === 1 ? "" : ` and ${paths.length - 1} more`;
  const when = isPast ? "while Sylk was not running" : "without the commit gate";
  const who =
    suspects.length === 0 ? "the committer is unknown" : `a command of ${listed(suspects)} ran about that time`;
  const wanted = {
    summary: `${short} came to ${branch} ${when} and contains ${paths[0]}${more}, held by ${listed(holders)}: ${who}`,
    severity: "important" as const,
    category: "gate-bypassed",
    files: paths.slice(0, mostNamed).map((path) => ({ path })),
    evidence: `In ${tree}. Found after it happened; nothing was stopped. "git show ${short}" shows it.`,
  };
  await ports.store.transact(project.id, async (tx) => {
    const agent = await ownAgent(project, tree, tx, ports);
    const others = suspects.filter(({ id }) => !holders.some((holder) => holder.id === id));
    await addOwnFinding(wanted, { agent, project }, [...holders, ...others], tx, ports);
    await tx.audit.append({
      actor: theDaemon,
      action: "commit.bypassed",
      subject: commit,
      project: project.id,
      details: {
        branch,
        paths: paths.slice(0, mostNamed),
        holders: holders.map(({ id }) => id),
        suspects: suspects.map(({ id }) => id),
        whileStopped: isPast,
      },
    });
  });
}

export async function reportGateOff(
  { project, tree, why, holders }: Pick<Bypass, "project" | "tree" | "holders"> & { readonly why: string },
  ports: GateWatchPorts,
): Promise<void> {
  const wanted = {
    summary: `The commit gate of ${project.name} is off: ${why}; commits are not checked`,
    severity: "important" as const,
    category: "gate-bypassed",
    files: [],
    evidence: `In ${tree}. "sylk install" puts the gate where git looks for hooks.`,
  };
  await ports.store.transact(project.id, async (tx) => {
    const agent = await ownAgent(project, tree, tx, ports);
    await addOwnFinding(wanted, { agent, project }, holders, tx, ports);
    await tx.audit.append({
      actor: theDaemon,
      action: "gate.off",
      subject: tree,
      project: project.id,
      details: { why },
    });
  });
}

function listed(agents: readonly AgentRef[]): string {
  return agents.map(({ name }) => name).join(", ");
}
