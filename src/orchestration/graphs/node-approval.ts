/** Nodes that need a person's approval before they run. */
import { Blocked, type DispatchContext, NodeFailure } from "../dag/index.ts";
import { shownText } from "./graph.ts";
import type { WrittenSpec } from "./store.ts";

export type Decision = {
  readonly decision: "approve" | "reject";
  readonly reason?: string | undefined;
  /** The attempt that asked for approval. */
  readonly attempt: number;
};

type Asking = {
  readonly node: string;
  readonly spec: WrittenSpec;
  readonly context: Pick<DispatchContext, "answers" | "attempt">;
};

/** A rejection counts only for the next attempt. A node that is retried later asks again. */
export function decisionFor({ answers, attempt }: Asking["context"]): Decision | undefined {
  const given = answers.findLast(({ on }) => on === "approval")?.answer as Decision | undefined;
  return given?.decision === "approve" || given?.attempt === attempt - 1 ? given : undefined;
}

/** Blocks a node until it is approved. A blocked node holds no pool slot. */
export function refuseUnapproved({ spec, node, context }: Asking): void {
  if (!spec.approve) return;
  const given = decisionFor(context);
  if (given === undefined)
    throw new Blocked({ on: "approval", question: `Run ${node}? ${shownText(spec, 500)}` }, { beforeStart: true });
  if (given.decision === "approve") return;
  const why = given.reason === undefined ? "" : `: ${given.reason}`;
  throw new NodeFailure({ class: "permanent", message: `it was rejected${why}` });
}
