/** Whether a killed session's holds wait on for its processes: a pure decision over what runs and how long it took. */

/** wait: for their end. end: ask them to end, then end them. */
export type LeftProcessMode = "wait" | "end";
type Situation = {
  readonly mode: LeftProcessMode;
  readonly running: number;
  readonly waitedMs: number;
};
export type WaitDecision =
  | { readonly do: "wait" }
  | { readonly do: "signal"; readonly signal: "SIGTERM" | "SIGKILL" }
  | { readonly do: "release" };

/** How long a process may take to end when it is asked to. */
const politelyMs = 5_000;

/** There is no limit: what may still be written is not given to another. */
export function decideWait({ mode, running, waitedMs }: Situation): WaitDecision {
  if (running === 0) return { do: "release" };
  if (mode === "wait") return { do: "wait" };
  return { do: "signal", signal: waitedMs >= politelyMs ? "SIGKILL" : "SIGTERM" };
}
