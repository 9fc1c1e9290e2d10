/** A run's tokens against its limit: used so far, and after each answered call. */
import type { LogEvent, OutputOf } from "../daemon/contract.ts";

type Cost = OutputOf<"run.list">["items"][number]["cost"];
export type BudgetUse = {
  readonly used: number;
  readonly limit: number | undefined;
  /** Of the limit; undefined without one. Above 1 where it was exceeded. */
  readonly share: number | undefined;
  /** Calls whose tokens are in no sum: the real use is higher. */
  readonly unknownCalls: number;
};
export type BurnPoint = { readonly at: number; readonly used: number; readonly sequence: number };

export function budgetUse(cost: Cost, limit: number | undefined): BudgetUse {
  const used = cost.inputTokens + cost.outputTokens;
  return { used, limit, share: limit === undefined ? undefined : used / limit, unknownCalls: cost.unknownCalls };
}

export function burnOf(events: readonly LogEvent[]): readonly BurnPoint[] {
  let used = 0;
  return events
    .filter(({ type }) => type === "run.spent")
    .map(({ at, sequence, data }) => {
      const { inputTokens, outputTokens } = data["cost"] as Cost;
      used += inputTokens + outputTokens;
      return { at, used, sequence };
    });
}
