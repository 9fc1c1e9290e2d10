/**
 * Everything a transaction's callback could await by mistake. The first three settle as early as the event loop allows:
 * they are ready before the callback begins to wait.
 */
import { stat } from "node:fs/promises";

export const strayWaits: readonly { readonly name: string; readonly wait: () => Promise<unknown> }[] = [
  { name: "a timer that is already due", wait: dueTimer },
  { name: "a file operation that is already done", wait: finishedRead },
  { name: "an immediate", wait: () => new Promise((resolve) => setImmediate(resolve)) },
  { name: "a tick", wait: () => new Promise((resolve) => process.nextTick(resolve)) },
  { name: "a file operation", wait: () => stat(import.meta.filename) },
];

function dueTimer(): Promise<void> {
  const waited = new Promise<void>((resolve) => setTimeout(resolve, 1)); // clock-exempt: the mistake under test
  spin(5);
  return waited;
}

function finishedRead(): Promise<unknown> {
  const waited = stat(import.meta.filename);
  spin(20);
  return waited;
}

/** Lets time pass without leaving the macrotask. */
function spin(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
