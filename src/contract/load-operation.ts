/** One operation without the others: a caller of a few loads their schemas only. `operations` is all of them at once. */
import type { Operation } from "./define.ts";
import type { OperationName, Operations } from "./operations.ts";

type NounOf<Name extends string> = Name extends `${infer Noun}.${string}` ? Noun : never;

/** The files that define operations of a noun, those with the most first. */
const files: Readonly<Record<NounOf<OperationName>, readonly (() => Promise<Readonly<Record<string, unknown>>>)[]>> = {
  agent: [() => import("./agent.ts"), () => import("./agent-handoff.ts")],
  reservation: [() => import("./reservation.ts")],
  commit: [() => import("./commit.ts")],
  branch: [() => import("./branch.ts")],
  worktree: [() => import("./worktree.ts")],
  index: [() => import("./session-index.ts")],
  guard: [() => import("./guard.ts")],
  "work-item": [() => import("./work-item.ts"), () => import("./handoff.ts"), () => import("./work-item-exchange.ts")],
  mail: [() => import("./mail.ts")],
  file: [() => import("./file.ts")],
  finding: [() => import("./finding.ts")],
  health: [() => import("./health.ts")],
  incident: [() => import("./health.ts")],
  companion: [() => import("./companion.ts")],
  ledger: [() => import("./ledger.ts")],
  session: [() => import("./session.ts"), () => import("./session-values.ts"), () => import("./session-messages.ts")],
  run: [() => import("./run.ts")],
  dag: [() => import("./dag.ts")],
  approval: [() => import("./approval.ts")],
  code: [() => import("./code.ts")],
  research: [() => import("./research.ts")],
  position: [() => import("./position.ts")],
  "language-server": [() => import("./position.ts")],
  scip: [() => import("./position.ts")],
  id: [() => import("./find-id.ts")],
  history: [() => import("./history.ts"), () => import("./history-reports.ts"), () => import("./history-upkeep.ts")],
  ask: [() => import("./ask.ts")],
  skill: [() => import("./skill.ts")],
  tool: [() => import("./tool.ts")],
  config: [() => import("./config.ts")],
  provider: [() => import("./provider.ts")],
  audit: [() => import("./audit.ts")],
  project: [() => import("./project.ts")],
  store: [() => import("./store.ts")],
  event: [() => import("./event.ts")],
  daemon: [() => import("./daemon.ts")],
  dashboard: [() => import("./dashboard.ts")],
};

export async function loadOperation<Name extends OperationName>(name: Name): Promise<Operations[Name]> {
  const noun = name.slice(0, name.indexOf(".")) as NounOf<OperationName>;
  for (const load of files[noun]) {
    const found = Object.values(await load()).find((value) => isOperation(value) && value.name === name);
    if (found !== undefined) return found as Operations[Name];
  }
  throw new TypeError(`operation ${name} is defined in none of the files of its noun`);
}

function isOperation(value: unknown): value is Operation {
  return typeof value === "object" && value !== null && "name" in value && "http" in value;
}
