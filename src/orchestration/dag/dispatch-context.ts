/** The context that a dispatcher gets with a node: results, contexts and artifacts of the dependencies, answers, session. */
import type { DagOutcome, NodeAnswer } from "./dag.ts";
import { outcomeOf } from "./final-nodes.ts";
import { recordsOf } from "./move-node.ts";
import { NodeFailure } from "./node-outcomes.ts";
import { at, nodeAt, type Schedule } from "./schedule.ts";

type Named = Readonly<Record<string, unknown>>;

export type DispatchContext = {
  /** Counts from 1. Together with the node's id it identifies this attempt. */
  readonly attempt: number;
  /** Results of the dependencies by id. A dependency that was skipped as done has none. */
  readonly parents: ReadonlyMap<string, unknown>;
  /** Contexts of the same dependencies: the planned context, overridden by `context` in the result. */
  readonly parentContexts: ReadonlyMap<string, Named>;
  /** `artifact("build/report")` reads `artifacts` in the result of the dependency `build`. Throws if there is none. */
  readonly artifact: (address: string) => unknown;
  /** The latest answer, after the node was blocked; `answers` has all of them. */
  readonly answer: unknown;
  readonly answers: readonly NodeAnswer[];
  /** The same for every node of a run. */
  readonly session: Named;
  /** Only for a final node: how the ordinary nodes ended, and the records of all other nodes. */
  readonly ended?: DagOutcome;
  /** Aborts on timeout, pause, fail-fast and cancellation. An attempt that ignores it is abandoned after the grace period. */
  readonly signal: AbortSignal;
};

export type NodeInput = Omit<DispatchContext, "attempt" | "signal">;

const noAnswers: readonly NodeAnswer[] = [];
const noContext: Named = Object.freeze({});

export function inputOf(schedule: Schedule, index: number, session: Named): NodeInput {
  const { answers = noAnswers } = at(schedule.records, index);
  const parents = new Map<string, unknown>();
  const parentContexts = new Map<string, Named>();
  for (const parent of at(schedule.parents, index)) {
    const { state, result } = at(schedule.records, parent);
    if (state !== "succeeded") continue;
    const { id, context = noContext } = nodeAt(schedule, parent);
    parents.set(id, result);
    parentContexts.set(id, { ...context, ...carriedBy(result, "context") });
  }
  const artifact = (address: string) => artifactAt(address, parents);
  const input = { parents, parentContexts, artifact, answer: answers.at(-1)?.answer, answers, session };
  return schedule.finals.has(index) ? { ...input, ended: endedBefore(schedule, index) } : input;
}

function endedBefore(schedule: Schedule, index: number): DagOutcome {
  const nodes = new Map(recordsOf(schedule));
  nodes.delete(nodeAt(schedule, index).id);
  return { outcome: outcomeOf(schedule), nodes };
}

/** Ids and names may contain slashes, so each dependency id is tried as the prefix. */
function artifactAt(address: string, parents: DispatchContext["parents"]): unknown {
  for (const [id, result] of parents) {
    const artifacts = carriedBy(result, "artifacts");
    const name = address.slice(id.length + 1);
    if (address.startsWith(`${id}/`) && Object.hasOwn(artifacts, name)) return artifacts[name];
  }
  const known = [...parents].flatMap(([id, result]) =>
    Object.keys(carriedBy(result, "artifacts")).map((name) => `${id}/${name}`),
  );
  const there = known.length > 0 ? `known: ${known.slice(0, 20).join(", ")}` : "its dependencies have none";
  throw new NodeFailure({ class: "permanent", message: `no artifact ${JSON.stringify(address)}; ${there}` });
}

function carriedBy(result: unknown, what: "artifacts" | "context"): Named {
  const carried = typeof result === "object" && result !== null ? (result as Named)[what] : undefined;
  return typeof carried === "object" && carried !== null ? (carried as Named) : noContext;
}
