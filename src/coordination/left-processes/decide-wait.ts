/** Whether a killed session's holds wait on for its processes: a pure decision over what runs and how long it took. */

/** wait: for their end. end: ask them to end, then end them. */
export type LeftProcessMode = "wait" | "end";
type Situation = {
  readonly mode: LeftProcessMode;
  readonly running: number;
  readonly waitedMs: number;
  readonly waitMs: number;
};
export type WaitDecision =
  | { readonly do: "wait" }
  | { readonly do: "signal"; readonly signal: "SIGTERM" | "SIGKILL" }
  | { readonly do: "release"; readonly how: "ended" | "still-running" };

/** How long a process may take to end when it is asked to. */
const politelyMs = 5_000;

export function decideWait({ mode, running, waitedMs, waitMs }: Situation): WaitDecision {
  if (running === 0) return { do: "release", how: "ended" };
  if (waitedMs >= waitMs) return { do: "release", how: "still-running" };
  if (mode === "wait") return { do: "wait" };
  return { do: "signal", signal: waitedMs >= Math.min(politelyMs, waitMs / 2) ? "SIGKILL" : "SIGTERM" };
}
