/**
 * Adjusts the plan of a run: adds, replaces or removes engineer nodes.
 *
 *   before the plan is approved -> the approval asks again, with the new plan
 *   afterwards                  -> a second approval, which the changed nodes and the checks wait for
 *
 * If the run was approved in advance (--yes) and the user makes the change, no approval is needed.
 */
import { type Caller, DomainError, type InputOf, invalidInput } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Adjustment } from "../dag/index.ts";
import { engineNode, type RunNodeSpec } from "../graphs/index.ts";
import { changedApproval } from "./approve-plan.ts";
import { approvalNode } from "./run-graph.ts";
import { type KnownNode, sinceLastPlan } from "./run-nodes.ts";
import type { RunRecord } from "./store.ts";

type Wanted = Pick<InputOf<"run.adjust">, "nodes" | "remove">;
type Known = ReadonlyMap<string, KnownNode>;

export function runAdjustment(
  { nodes: wanted, remove }: Wanted,
  { run, nodes, caller }: { readonly run: RunRecord; readonly nodes: readonly KnownNode[]; readonly caller: Caller },
  ids: IdSource,
): Adjustment {
  const known: Known = new Map(nodes.map((node) => [node.id, node]));
  const keys = new Map<string, string>(Object.keys(wanted).map((key) => [key, known.has(key) ? key : ids.next("nod")]));
  for (const key of [...Object.keys(wanted).filter((name) => known.has(name)), ...remove]) refuseOther(key, known);
  const round = Math.max(0, ...nodes.map(({ spec }) => spec.round));
  const gate = gateOf(run, nodes, caller, ids);
  const changed = Object.entries(wanted).map(([key, { title, prompt, files, dependsOn }]) => {
    const parents = dependsOn.map((parent) => keys.get(parent) ?? parent);
    const needs = [...new Set([...(parents.length === 0 ? [gate.node] : parents), ...gate.extra])];
    const terms = { title, prompt, dependsOn: needs, round, ...defined({ files }) };
    const spec: RunNodeSpec = { kind: "engineer", role: "engineer", ...terms };
    return [keys.get(key)!, spec] as const;
  });
  const leaving = new Set(remove);
  const work = new Set([
    ...nodes
      .filter(({ id, spec }) => spec.kind === "engineer" && spec.round === round && !leaving.has(id))
      .map(({ id }) => id),
    ...changed.map(([id]) => id),
  ]);
  const inspection = nodes.find(({ spec }) => spec.check === "inspection" && spec.round === round);
  if (inspection === undefined)
    throw new DomainError("run.not-possible", `Run ${run.id} has no plan to change yet. Wait until it is planned.`, {
      details: { status: run.status },
    });
  const checked = { ...inspection.spec, dependsOn: [...work, ...gate.extra] };
  const isNew = ([id]: readonly [string, RunNodeSpec]) => !known.has(id);
  return {
    add: [...gate.added, ...changed.filter(isNew)].map(([id, spec]) => engineNode(id, spec)),
    replace: [...gate.replaced, ...changed.filter((entry) => !isNew(entry)), [inspection.id, checked] as const].map(
      ([id, spec]) => engineNode(id, spec),
    ),
    remove,
  };
}

type Gate = {
  /** Dependencies of a node that names none. */
  readonly node: string;
  /** Further dependencies of every changed node and the checks. */
  readonly extra: readonly string[];
  readonly added: readonly (readonly [string, RunNodeSpec])[];
  readonly replaced: readonly (readonly [string, RunNodeSpec])[];
};

function gateOf(run: RunRecord, nodes: readonly KnownNode[], caller: Caller, ids: IdSource): Gate {
  const current = sinceLastPlan(nodes);
  const plan = current.find(({ spec }) => spec.kind === "plan")!;
  const approval = current.findLast(({ spec }) => spec.kind === "approval");
  const isOpen = approval !== undefined && ["pending", "queued", "blocked"].includes(approval.record.state);
  // Replacing the approval makes it ask again, with the current plan. Nodes that depend on finished work wait for it, too.
  if (isOpen) return { node: approval.id, extra: [approval.id], added: [], replaced: [[approval.id, approval.spec]] };
  if ((plan.spec.approved ?? run.options.approve) && caller.kind === "user")
    return { node: approval?.id ?? plan.id, extra: [], added: [], replaced: [] };
  const [id, spec] = approvalNode({ title: changedApproval, dependsOn: [plan.id], round: plan.spec.round }, ids);
  return { node: id, extra: [id], added: [[id, spec]], replaced: [] };
}

function refuseOther(id: string, known: Known): void {
  const kind = known.get(id)?.spec.kind;
  if (kind === undefined || kind === "engineer") return;
  throw invalidInput("nodes", `${id} is the run's ${kind}; only engineer nodes can be changed`);
}
