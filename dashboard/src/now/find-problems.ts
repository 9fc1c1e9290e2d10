/** What is wrong now, the worst first: missing protection, incidents, unguarded agents. */
import type { OutputOf } from "../daemon/contract.ts";

export type Problem = {
  readonly key: string;
  readonly title: string;
  readonly detail: string;
  /** The command that shows more, or mends it. */
  readonly command: string;
  /** Agents that have this problem. */
  readonly agents?: readonly { readonly id: string; readonly name: string }[];
};
type Known = {
  readonly agents: OutputOf<"agent.list"> | undefined;
  readonly health: OutputOf<"health.show"> | undefined;
};

export function findProblems({ agents, health }: Known): readonly Problem[] {
  return [...protectionProblems(agents, health), ...incidentProblems(health), ...agentProblems(agents)];
}

function protectionProblems(agents: Known["agents"], health: Known["health"]): readonly Problem[] {
  const why =
    agents?.notEnforced ?? (health?.enforced === false ? (health.whyNot ?? "the store refuses changes") : undefined);
  const missing = agents?.notInstalled ?? [];
  return [
    ...(why === undefined
      ? []
      : [{ key: "not-enforced", title: "Agents are unprotected", detail: why, command: "sylk doctor" }]),
    ...missing.map(installProblem),
  ];
}

/** "codex is NOT guarded: …/hooks.json has none of our hooks" */
function installProblem(sentence: string): Problem {
  const [, title = sentence, detail = ""] = /^(.*?): (.*)$/su.exec(sentence) ?? [];
  const client = /^([a-z][a-z0-9-]*) is NOT guarded$/u.exec(title)?.[1];
  const command = client === undefined ? "sylk doctor" : `sylk install ${client}`;
  return { key: `install ${sentence}`, title, detail, command };
}

function incidentProblems(health: Known["health"]): readonly Problem[] {
  return (health?.incidents ?? []).map(({ id, summary, fix }) => ({
    key: id,
    title: summary,
    detail: fix,
    command: "sylk health",
  }));
}

/** Agents that are unguarded for one reason are one problem. */
function agentProblems(agents: Known["agents"]): readonly Problem[] {
  const unguarded = (agents?.items ?? []).filter(({ guard }) => guard === "unguarded");
  const byReason = Map.groupBy(unguarded, ({ guardReason }) => guardReason ?? "no hook of its session has asked");
  return [...byReason].map(([reason, items]) => ({
    key: `unguarded ${reason}`,
    title:
      items.length === 1
        ? `${items[0]!.name} edits without a guard`
        : `${items.length.toLocaleString("en")} agents edit without a guard`,
    detail: reason,
    command: "sylk doctor",
    agents: items.map(({ id, name }) => ({ id, name })),
  }));
}
