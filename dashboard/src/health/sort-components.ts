/** Components as the table shows them: the ones that fail first, and what was never measured said as such. */
import type { OutputOf } from "../daemon/contract.ts";

type Health = OutputOf<"health.show">;
export type Component = Health["components"][number];
export type SilentAgent = Health["agents"][number];

/** By what went wrong, then by name. */
export function sortComponents(components: readonly Component[]): readonly Component[] {
  return components.toSorted(
    (a, b) =>
      wrongIn(b) - wrongIn(a) ||
      a.kind.localeCompare(b.kind) ||
      a.name.localeCompare(b.name) ||
      (a.agent ?? "").localeCompare(b.agent ?? ""),
  );
}

/** Calls that failed, timed out or ran without protection. */
export function wrongIn({ failures, timeouts, degraded, unguarded }: Component): number {
  return failures + timeouts + degraded + unguarded;
}

/** "12 ms", "0.4 ms"; undefined where nothing was measured: that is not zero. */
export function latencyText(ms: number | undefined): string | undefined {
  if (ms === undefined) return undefined;
  return `${ms >= 10 ? Math.round(ms).toLocaleString("en") : Number(ms.toFixed(1))} ms`;
}

/** Reporters that fell silent first, then those that never reported. */
export function silentAgents(agents: readonly SilentAgent[]): readonly SilentAgent[] {
  const rank = { stopped: 0, never: 1, measured: 2 };
  return agents
    .filter(({ measurement }) => measurement !== "measured")
    .toSorted((a, b) => rank[a.measurement] - rank[b.measurement] || a.agent.name.localeCompare(b.agent.name));
}
