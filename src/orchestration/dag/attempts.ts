/**
 * Attempts: the calls of the dispatcher that are under way, each with its timer and the way to stop it.
 *
 *   start -> dispatcher -> succeeded | failed | timed out       (reported, never thrown)
 *   abort -> signal -> it settles within the grace, or is abandoned and whatever it says later is ignored
 *
 * Invariant: `report` hears exactly one end of each attempt; a timeout before it is no end.
 */
import type { Clock, Timer } from "../../platform/clock/index.ts";
import { type DagNode, type NodeError, NodeFailure } from "./dag.ts";
import type { Change } from "./scheduler.ts";

export type DispatchContext = {
  /** From 1; together with the node's id it names this attempt for good. */
  readonly attempt: number;
  /** What each dependency gave, by its id. */
  readonly parents: ReadonlyMap<string, unknown>;
  /** Aborts on timeout, pause, fail-fast and cancellation. Who ignores it is abandoned after the grace. */
  readonly signal: AbortSignal;
};

export type Dispatch = (node: DagNode, context: DispatchContext) => Promise<unknown>;

type Ports = {
  readonly dispatch: Dispatch;
  readonly clock: Clock;
  readonly abortGraceMs: number;
  readonly report: (change: Change) => void;
};

type Start = {
  readonly node: DagNode;
  readonly attempt: number;
  readonly timeoutMs: number;
  readonly parents: ReadonlyMap<string, unknown>;
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

  const finish = (node: string, entry: Live, change: Change): void => {
    if (live.get(node) !== entry) return; // abandoned before
    entry.timer?.cancel();
    live.delete(node);
    report(change);
    if (live.size === 0) onIdle?.();
  };

  const start = ({ node, attempt, timeoutMs, parents }: Start): void => {
    const entry: Live = { attempt, controller: new AbortController(), timer: undefined };
    const { id } = node;
    live.set(id, entry);
    const timedOut = () => report({ type: "attempt-timed-out", node: id, attempt });
    entry.timer = clock.after(timeoutMs, timedOut, { keepAlive: true });
    const call = async () => dispatch(node, { attempt, parents, signal: entry.controller.signal });
    call().then(
      (result) => finish(id, entry, { type: "attempt-succeeded", node: id, attempt, result }),
      (reason: unknown) => finish(id, entry, { type: "attempt-failed", node: id, attempt, error: toNodeError(reason) }),
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

/** Unknown errors count as permanent (B5): retrying what nobody understands repeats its damage. */
function toNodeError(reason: unknown): NodeError {
  return reason instanceof NodeFailure ? reason.error : { class: "permanent", message: messageOf(reason) };
}

function messageOf(reason: unknown): string {
  try {
    return reason instanceof Error ? reason.message : String(reason);
  } catch {
    return "the dispatcher threw something that has no text";
  }
}
