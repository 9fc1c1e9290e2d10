/** A dry run is the real thing, undone: what it counts is what will be removed, by the same statements. */
import type { Transaction } from "../platform/store/index.ts";

class Undone<T> extends Error {
  readonly value: T;
  constructor(value: T) {
    super("undone on purpose");
    this.value = value;
  }
}

export async function perhapsUndone<T>(tx: Transaction, dryRun: boolean, remove: () => Promise<T>): Promise<T> {
  if (!dryRun) return remove();
  const outcome = await tx.attempt<T>(async () => {
    throw new Undone(await remove());
  });
  if (!outcome.ok && outcome.error instanceof Undone) return (outcome.error as Undone<T>).value;
  throw outcome.ok ? new Error("a dry run was not undone") : outcome.error;
}
