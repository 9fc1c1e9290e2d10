/**
 * Lists are read one at a time, the shortest first, and after each the loop is left to others for as long as it took. A read
 * of the store and its JSON are made in one go: many at once would be in memory together, and every other caller would wait
 * for the last of them.
 */
import { type Dispatch, type OperationName, operations } from "../../contract/index.ts";
import { systemClock } from "../../platform/clock/index.ts";
import { bounds, tooManyReads } from "./connection-bounds.ts";

type Waiting = { readonly length: number; readonly start: () => void };

/** Where the caller names none. */
const usualLength = 100;
/** A list that took less is not worth a pause. */
const shortMs = 2;
/** A list that took long because the machine was busy or stopped must not make the next one late. */
const longestPauseMs = 100;

export function paceReads(dispatch: Dispatch, clock = systemClock()): Dispatch {
  const waiting: Waiting[] = [];
  let isTaken = false;

  function startNext(): void {
    const next = takeShortest(waiting);
    if (next === undefined) return void (isTaken = false);
    pauseAfterThis();
    next.start();
  }

  /** What is read from memory or the store is done when the immediate runs; what waits for more no longer counts. */
  function pauseAfterThis(): void {
    isTaken = true;
    const began = clock.monotonic();
    setImmediate(() => {
      const tookMs = clock.monotonic() - began;
      if (tookMs < shortMs) startNext();
      else clock.after(Math.min(Math.ceil(tookMs), longestPauseMs), startNext);
    });
  }

  return (name, input, caller, options) => {
    const length = lengthOf(name, input);
    if (length === undefined) return dispatch(name, input, caller, options);
    if (isTaken) {
      if (waiting.length >= bounds.waitingReads) return Promise.reject(tooManyReads());
      return new Promise((resolve) => {
        waiting.push({ length, start: () => resolve(dispatch(name, input, caller, options)) });
      });
    }
    pauseAfterThis();
    return dispatch(name, input, caller, options);
  };
}

/** Undefined for what is not a list. */
function lengthOf(name: OperationName, input: unknown): number | undefined {
  const { kind, input: schema } = operations[name];
  if (kind !== "read" || !("limit" in schema.shape)) return undefined;
  return Number((input as { readonly limit?: unknown }).limit ?? usualLength);
}

function takeShortest(waiting: Waiting[]): Waiting | undefined {
  let shortest = 0;
  for (let at = 1; at < waiting.length; at++) if (waiting[at]!.length < waiting[shortest]!.length) shortest = at;
  return waiting.splice(shortest, 1)[0];
}
