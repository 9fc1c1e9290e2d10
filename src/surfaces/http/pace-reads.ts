/**
 * Lists are read one in each turn of the event loop, the shortest first. A read of the store and its JSON are made in one
 * go: many at once would stand in memory together and keep every other caller waiting until the last is done.
 */
import { type Dispatch, type OperationName, operations } from "../../contract/index.ts";
import { bounds, tooManyReads } from "./connection-bounds.ts";

type Waiting = { readonly length: number; readonly start: () => void };

/** Where the caller names none. */
const usualLength = 100;

export function paceReads(dispatch: Dispatch): Dispatch {
  const waiting: Waiting[] = [];
  let isTaken = false;

  function nextTurn(): void {
    const next = takeShortest(waiting);
    if (next === undefined) return void (isTaken = false);
    setImmediate(nextTurn);
    next.start();
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
    isTaken = true;
    setImmediate(nextTurn);
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
