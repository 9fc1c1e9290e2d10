/**
 * The graph of a run, as it grows.
 *
 *   plan ─> [approval] ─> engineers ─> inspection ─> tests ─> judge ─> corrections ─> inspection ─> … ─> conclude (final)
 *
 * The plan and each judgement add the nodes that follow. Their success and these nodes are recorded together.
 */
import type { Check, NodeId, Plan, PlanNode } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
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

/** A plan that continues a run: its prompt is the user's feedback. */
export function feedbackNode(
  { feedback, ...given }: Pick<RunNodeSpec, "round" | "approved" | "replaces"> & { readonly feedback: string },
  ids: Ids,
): RunNodes {
  const terms = { kind: "plan", title: "Plan again with feedback", role: "architect", dependsOn: [] } as const;
  return { [ids.next("nod")]: spec({ ...terms, prompt: feedback, ...given }) };
}

type PlanTerms = {
  /** The plan node. */
  readonly after: string;
  readonly approved: boolean;
  readonly round?: number;
};

/** The nodes that a plan adds. Without an approval they start at once. */
export function nodesOfPlan(plan: Plan, { after, approved, round = 0 }: PlanTerms, ids: Ids): RunNodes {
  const terms = { round, planRound: round, nodes: plan.nodes };
  if (approved) return nodesOfRound({ ...terms, after }, ids);
  const [approval, asking] = approvalNode({ title: firstApproval, dependsOn: [after], round }, ids);
  return { [approval]: asking, ...nodesOfRound({ ...terms, after: approval }, ids) };
}

export function approvalNode(
  terms: Pick<RunNodeSpec, "title" | "dependsOn" | "round">,
  ids: Ids,
): readonly [NodeId, RunNodeSpec] {
  return [ids.next("nod"), spec({ kind: "approval", role: "user", ...terms })];
}

type Round = {
  readonly round: number;
  /** The round of the plan that it belongs to. */
  readonly planRound?: number;
  readonly nodes: readonly PlanNode[];
  /** Nodes without dependencies depend on this one. */
  readonly after: string;
  /** The judge node of the previous round. */
  readonly lastJudge?: string;
};

export function nodesOfRound({ round, planRound = 0, nodes, after, lastJudge }: Round, ids: Ids): RunNodes {
  const work = nodes.map(
    ({ id, title, role, prompt, files, dependsOn }) =>
      [
        id,
        spec({
          kind: "engineer",
          title,
          role,
          prompt,
          ...defined({ files }),
          dependsOn: dependsOn.length === 0 ? [after] : dependsOn,
          round,
        }),
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
      ...(planRound === 0 ? {} : { planRound }),
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
