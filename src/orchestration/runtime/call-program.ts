/**
 * A node carried out by a function of the program that embeds the engine.
 *
 *   approved? -> a place in the session's share of the pool -> the function -> result, or what it threw
 *
 * Its time limit begins with its place.
 */
import type { DagId, SessionId } from "../../contract/index.ts";
import { type Pool, TimeLimitPassed } from "../../platform/pool/index.ts";
import { type DispatchContext, NodeFailure } from "../dag/index.ts";
import { type Attempt, isOfRun, refuseUnapproved, roleOf } from "../graphs/index.ts";

export type NodeCall = Pick<
  DispatchContext,
  "attempt" | "parents" | "parentContexts" | "artifact" | "answers" | "signal"
> & {
  readonly dag: DagId;
  readonly session: SessionId;
  /** Name, branch, notes and preferences of the session. */
  readonly sessionContext: DispatchContext["session"];
  readonly node: string;
  readonly role: string;
  readonly prompt: string;
};
/** What it gives is kept as JSON and given to the nodes that depend on this one. It may throw NodeFailure or Blocked. */
export type CarryOut = (call: NodeCall) => Promise<unknown>;

export function callProgram(carryOut: CarryOut, pool: Pick<Pool, "submit">): (attempt: Attempt) => Promise<unknown> {
  return async ({ dag: id, session, node, spec, options, context }) => {
    if (isOfRun(spec)) throw new Error("a run needs the daemon; a program carries out prompts");
    refuseUnapproved({ node, spec, context });
    const dag = id as DagId;
    const { attempt: number, parents, parentContexts, artifact, answers, session: sessionContext } = context;
    try {
      return await pool.submit({
        group: session,
        kind: roleOf(spec),
        lane: spec.priority,
        signal: context.signal,
        timeLimitMs: spec.timeoutMs ?? options.policy.timeoutMs,
        run: (signal) =>
          carryOut({
            dag,
            session,
            sessionContext,
            node,
            role: roleOf(spec),
            prompt: spec.prompt ?? "",
            attempt: number,
            parents,
            parentContexts,
            artifact,
            answers,
            signal,
          }),
      });
    } catch (error) {
      if (error instanceof TimeLimitPassed)
        throw new NodeFailure({ class: "timeout", message: error.message }, { cause: error });
      throw error;
    }
  };
}
