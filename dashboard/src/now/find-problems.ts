/** What is wrong now, the worst first: missing protection, incidents, unguarded agents. */
import type { OutputOf } from "../daemon/contract.ts";

export type Problem = {
  readonly key: string;
  readonly title: string;
  readonly detail: string;
  /** The command that shows more, or mends it. */
  readonly command: string;
};
type Known = {
  readonly agents: OutputOf<"agent.list"> | undefined;
  readonly health: OutputOf<"health.show"> | undefined;
};

export function findProblems({ agents, health }: Known): readonly Problem[] {
  return [...protectionProblems(agents, health), ...incidentProblems(health), ...agentProblems(agents)];
}

function protectionProblems(agents: Known["agents"], health: Known["health"]): readonly Problem[] {
  const why = agents?.notEnforced ?? (health?.enforced === false ? (health.whyNot ?? "the store refuses changes") : undefined);
  const missing = agents?.notInstalled ?? [];
  return [
    ...(why === undefined
      ? []
      : [{ key: "not-enforced", title: "Agents are unprotected", detail: why, command: "sylk doctor" }]),
    ...missing.map((client) => ({
      key: `hooks ${client}`,
      title: `The hooks of ${client} are missing or not trusted`,
      detail: "Edits of this client are not checked.",
      command: `sylk install ${client}`,
    })),
  ];
}

function incidentProblems(health: Known["health"]): readonly Problem[] {
  return (health?.incidents ?? []).map(({ id, summary, fix }) => ({
    key: id,
    title: summary,
    detail: fix,
    command: "sylk health",
  }));
}

function agentProblems(agents: Known["agents"]): readonly Problem[] {
  return (agents?.items ?? [])
    .filter(({ guard }) => guard === "unguarded")
    .map(({ id, name, guardReason }) => ({
      key: id,
      title: `${name} edits without a guard`,
      detail: guardReason ?? "No hook of its session has asked yet.",
      command: "sylk doctor",
    }));
}
