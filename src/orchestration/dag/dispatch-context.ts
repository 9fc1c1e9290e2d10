/** What a dispatcher is given beside its node: results, contexts and artifacts of the dependencies, answers, session. */
import type { DagOutcome, NodeAnswer } from "./dag.ts";
import { outcomeOf } from "./final-nodes.ts";
import { recordsOf } from "./move-node.ts";
import { NodeFailure } from "./node-outcomes.ts";
import { at, nodeAt, type Schedule } from "./schedule.ts";

type Named = Readonly<Record<string, unknown>>;

export type DispatchContext = {
  /** From 1; together with the node's id it names this attempt for good. */
  readonly attempt: number;
  /** What each dependency gave, by its id; nothing of one that was skipped and counts as done. */
  readonly parents: ReadonlyMap<string, unknown>;
  /** The contexts of the same dependencies: as planned, and over that what their results carry as `context`. */
  readonly parentContexts: ReadonlyMap<string, Named>;
  /** `artifact("build/report")`: of a dependency whose result carries `artifacts`. Throws when there is none. */
  readonly artifact: (address: string) => unknown;
  /** The latest answer, after the node was blocked; `answers` has all of them. */
  readonly answer: unknown;
  readonly answers: readonly NodeAnswer[];
  /** The same for every node of a run. */
  readonly session: Named;
  /** For a final node only: how the ordinary nodes ended, and every other node as it is. */
  readonly ended?: DagOutcome;
  /** Aborts on timeout, pause, fail-fast and cancellation. Who ignores it is abandoned after the grace. */
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

/** Ids and names may hold a slash, so the dependencies say where one ends and the other begins. */
function artifactAt(address: string, parents: DispatchContext["parents"]): unknown {
  for (const [id, result] of parents) {
    const artifacts = carriedBy(result, "artifacts");
    const name = address.slice(id.length + 1);
    if (address.startsWith(`${id}/`) && Object.hasOwn(artifacts, name)) return artifacts[name];
  }
  const known = [...parents].flatMap(([id, result]) =>
    Object.keys(carriedBy(result, "artifacts")).map((name) => `${id}/${name}`),
  );
  const there = known.length > 0 ? `there are ${known.slice(0, 20).join(", ")}` : "its dependencies left none";
  throw new NodeFailure({ class: "permanent", message: `no artifact ${JSON.stringify(address)}; ${there}` });
}

function carriedBy(result: unknown, what: "artifacts" | "context"): Named {
  const carried = typeof result === "object" && result !== null ? (result as Named)[what] : undefined;
  return typeof carried === "object" && carried !== null ? (carried as Named) : noContext;
}
