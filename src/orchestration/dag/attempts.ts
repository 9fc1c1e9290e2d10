/**
 * Attempts: the running calls of the dispatcher, each with a timer and an abort signal.
 *
 *   start -> dispatcher -> succeeded | failed | blocked | timed out       (reported, never thrown)
 *   abort -> signal -> it settles within the grace period, or is abandoned and its later result is ignored
 *
 * Invariant: `report` gets exactly one end of each attempt. A timeout before it is not an end.
 */
import { messageOf } from "../../contract/errors.ts";
import type { Clock, Timer } from "../../platform/clock/index.ts";
import type { DagNode, NodeError } from "./dag.ts";
import type { AttemptChange } from "./decision.ts";
import type { DispatchContext, NodeInput } from "./dispatch-context.ts";
import { AdjustingSuccess, Blocked, Interrupted, NodeFailure } from "./node-outcomes.ts";

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
  /** Returns false when no attempt of this node runs. */
  abort(node: string, reason: string): boolean;
  /** Resolves once every attempt has settled or was abandoned. */
  abortAll(reason: string): Promise<void>;
};

type Live = { readonly attempt: number; readonly controller: AbortController; timer: Timer | undefined };

export function createAttempts({ dispatch, clock, abortGraceMs, report }: Ports): Attempts {
  const live = new Map<string, Live>();
  let onIdle: (() => void) | undefined;

  const finish = (node: string, entry: Live, change: AttemptChange): void => {
    if (live.get(node) !== entry) return; // already abandoned
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
  if (reason instanceof Blocked)
    return { type: "attempt-blocked", request: reason.request, beforeStart: reason.beforeStart } as const;
  if (reason instanceof Interrupted) return { type: "attempt-interrupted", message: reason.message } as const;
  return { type: "attempt-failed", error: toNodeError(reason) } as const;
}

/** Unknown errors count as permanent (B5): a retry could repeat their damage. */
function toNodeError(reason: unknown): NodeError {
  return reason instanceof NodeFailure ? reason.error : { class: "permanent", message: messageOf(reason) };
}
