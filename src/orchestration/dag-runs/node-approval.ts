/** Nodes that a person has to approve before they run. */
import { Blocked, type DispatchContext, NodeFailure } from "../dag/index.ts";
import { shownText } from "./graph.ts";
import type { NodeSpec } from "./store.ts";

export type Decision = {
  readonly decision: "approve" | "reject";
  readonly reason?: string | undefined;
  /** The attempt that asked. */
  readonly attempt: number;
};

type Asking = {
  readonly node: string;
  readonly spec: NodeSpec;
  readonly context: Pick<DispatchContext, "answers" | "attempt">;
};

/** A node that wants to be approved waits for that, and holds no place meanwhile. */
export function refuseUnapproved({ spec, node, context }: Asking): void {
  if (!spec.approve) return;
  const given = context.answers.findLast(({ on }) => on === "approval")?.answer as Decision | undefined;
  // A rejection is about the attempt that follows it; who retries the node later is asked again.
  const isCurrent = given?.decision === "approve" || given?.attempt === context.attempt - 1;
  if (given === undefined || !isCurrent)
    throw new Blocked({ on: "approval", question: `Run ${node}? ${shownText(spec, 500)}` }, { beforeStart: true });
  if (given.decision === "approve") return;
  const why = given.reason === undefined ? "" : `: ${given.reason}`;
  throw new NodeFailure({ class: "permanent", message: `it was rejected${why}` });
}
