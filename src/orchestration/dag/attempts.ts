/**
 * Attempts: the calls of the dispatcher that are under way, each with its timer and the way to stop it.
 *
 *   start -> dispatcher -> succeeded | failed | blocked | timed out       (reported, never thrown)
 *   abort -> signal -> it settles within the grace, or is abandoned and whatever it says later is ignored
 *
 * Invariant: `report` hears exactly one end of each attempt; a timeout before it is no end.
 */
import { messageOf } from "../../contract/errors.ts";
import type { Clock, Timer } from "../../platform/clock/index.ts";
import type { DagNode, NodeError } from "./dag.ts";
import type { AttemptChange } from "./decision.ts";
import type { DispatchContext, NodeInput } from "./dispatch-context.ts";
import { AdjustingSuccess, Blocked, NodeFailure } from "./node-outcomes.ts";

export type Dispatch = (node: DagNode, context: DispatchContext) => Promise<unknown>;

type Ports = {
  readonly dispatch: Dispatch;
  readonly clock: Clock;
  readonly abortGraceMs: number;
  readonly report: (change: AttemptChange) => void;
};

type Start = {
  readonly node: DagNode;
  readonly attempt: number;
  readonly timeoutMs: number;
  readonly input: NodeInput;
};

export type Attempts = {
  start(start: Start): void;
  /** False when no attempt of this node is under way. */
  abort(node: string, reason: string): boolean;
  /** Resolves once every attempt has settled or was abandoned. */
  abortAll(reason: string): Promise<void>;
};

type Live = { readonly attempt: number; readonly controller: AbortController; timer: Timer | undefined };

export function createAttempts({ dispatch, clock, abortGraceMs, report }: Ports): Attempts {
  const live = new Map<string, Live>();
  let onIdle: (() => void) | undefined;

  const finish = (node: string, entry: Live, change: AttemptChange): void => {
    if (live.get(node) !== entry) return; // abandoned before
    entry.timer?.cancel();
    live.delete(node);
    report(change);
    if (live.size === 0) onIdle?.();
  };

  const start = ({ node, attempt, timeoutMs, input }: Start): void => {
    const entry: Live = { attempt, controller: new AbortController(), timer: undefined };
    const { id } = node;
    live.set(id, entry);
    const timedOut = () => report({ type: "attempt-timed-out", node: id, attempt });
    entry.timer = clock.after(timeoutMs, timedOut, { keepAlive: true });
    const call = async () => dispatch(node, { ...input, attempt, signal: entry.controller.signal });
    call().then(
      (result) => finish(id, entry, succeeded(id, attempt, result)),
      (reason: unknown) => finish(id, entry, { node: id, attempt, ...withoutResult(reason) }),
    );
  };

  const abort = (node: string, reason: string): boolean => {
    const entry = live.get(node);
    if (!entry) return false;
    if (entry.controller.signal.aborted) return true;
    const { attempt } = entry;
    const abandon = () => finish(node, entry, { type: "attempt-abandoned", node, attempt });
    entry.timer?.cancel();
    entry.timer = clock.after(abortGraceMs, abandon, { keepAlive: true });
    entry.controller.abort(new DOMException(`attempt ${attempt} of ${node} was stopped: ${reason}`, "AbortError"));
    return true;
  };

  return {
    start,
    abort,
    abortAll(reason) {
      const { promise, resolve } = Promise.withResolvers<void>();
      onIdle = resolve;
      for (const node of live.keys()) abort(node, reason);
      if (live.size === 0) resolve();
      return promise;
    },
  };
}

function succeeded(node: string, attempt: number, given: unknown): AttemptChange {
  if (!(given instanceof AdjustingSuccess)) return { type: "attempt-succeeded", node, attempt, result: given };
  const { result, adjustment } = given;
  return { type: "attempt-succeeded", node, attempt, result, adjustment };
}

function withoutResult(reason: unknown) {
  return reason instanceof Blocked
    ? ({ type: "attempt-blocked", request: reason.request, beforeStart: reason.beforeStart } as const)
    : ({ type: "attempt-failed", error: toNodeError(reason) } as const);
}

/** Unknown errors count as permanent (B5): retrying what nobody understands repeats its damage. */
function toNodeError(reason: unknown): NodeError {
  return reason instanceof NodeFailure ? reason.error : { class: "permanent", message: messageOf(reason) };
}
