/**
 * The graph of a run, as it grows.
 *
 *   plan ─> [approval] ─> engineers ─> inspection ─> tests ─> judge ─> corrections ─> inspection ─> … ─> conclude (final)
 *
 * The plan and each judgement add the nodes that follow. Their success and these nodes are recorded together.
 */
import type { Check, NodeId, Plan, PlanNode } from "../../contract/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Adjustment, DagNode } from "../dag/index.ts";
import { firstApproval } from "./approve-plan.ts";
import { engineNode, type GraphChange, type RunNodeSpec } from "../graphs/index.ts";
import { runPolicy } from "../planning/index.ts";

type Ids = Pick<IdSource, "next">;
type Terms = Omit<RunNodeSpec, "prompt"> & { readonly prompt?: string };
export type RunNodes = Readonly<Record<string, RunNodeSpec>>;

export function firstGraph(ids: Ids): GraphChange {
  const plan = { kind: "plan", title: "Plan the change", role: "architect", dependsOn: [], round: 0 } as const;
  const conclude = { kind: "conclude", title: "Conclude", role: "orchestrator", dependsOn: [], round: 0 } as const;
  return { nodes: { [ids.next("nod")]: spec(plan), [ids.next("nod")]: spec(conclude) }, remove: [] };
}

/** The nodes that a plan adds. Without an approval they start at once. */
export function nodesOfPlan(plan: Plan, after: string, approved: boolean, ids: Ids): RunNodes {
  if (approved) return nodesOfRound({ round: 0, nodes: plan.nodes, after }, ids);
  const [approval, asking] = approvalNode(firstApproval, [after], ids);
  return { [approval]: asking, ...nodesOfRound({ round: 0, nodes: plan.nodes, after: approval }, ids) };
}

export function approvalNode(title: string, dependsOn: readonly string[], ids: Ids): readonly [NodeId, RunNodeSpec] {
  return [ids.next("nod"), spec({ kind: "approval", title, role: "user", dependsOn, round: 0 })];
}

type Round = {
  readonly round: number;
  readonly nodes: readonly PlanNode[];
  /** Nodes without dependencies depend on this one. */
  readonly after: string;
  /** The judge node of the previous round. */
  readonly lastJudge?: string;
};

export function nodesOfRound({ round, nodes, after, lastJudge }: Round, ids: Ids): RunNodes {
  const work = nodes.map(
    ({ id, title, role, prompt, dependsOn }) =>
      [
        id,
        spec({ kind: "engineer", title, role, prompt, dependsOn: dependsOn.length === 0 ? [after] : dependsOn, round }),
      ] as const,
  );
  const [inspection, tests, judge] = [ids.next("nod"), ids.next("nod"), ids.next("nod")];
  return {
    ...Object.fromEntries(work),
    [inspection]: checkNode(
      "inspection",
      round,
      work.map(([id]) => id),
    ),
    [tests]: checkNode("tests", round, [inspection]),
    [judge]: spec({
      kind: "judge",
      title: "Judge the checks",
      role: "architect",
      dependsOn: [inspection, tests, ...(lastJudge === undefined ? [] : [lastJudge])],
      round,
    }),
  };
}

const checks = {
  inspection: { title: "Run the linter", role: "inspector" },
  tests: { title: "Run the tests", role: "tester" },
} as const;

function checkNode(check: Check["kind"], round: number, dependsOn: readonly string[]): RunNodeSpec {
  return spec({ kind: "check", check, ...checks[check], dependsOn, round });
}

function spec({ prompt = "", ...terms }: Terms): RunNodeSpec {
  return { ...terms, prompt };
}

export function adding(nodes: RunNodes): Adjustment & { readonly add: readonly DagNode[] } {
  return { add: Object.entries(nodes).map(([id, node]) => engineNode(id, node)) };
}

/** The options of a run's graph. */
export function graphOptions({
  tree,
  provider,
  rehearse,
  environment,
}: {
  readonly tree: string;
  readonly provider: string | undefined;
  readonly rehearse: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
}) {
  const { maxConcurrency, failFast, defaultRetry: retry, defaultTimeoutMs: timeoutMs } = runPolicy;
  return {
    tree,
    provider,
    rehearse,
    environment,
    mode: "eager" as const,
    policy: { maxConcurrency, failFast, retry, timeoutMs },
  };
}
