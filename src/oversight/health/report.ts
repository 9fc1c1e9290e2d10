/** One outcome of one component, as everything behind the door sees it. */
import type { Cause, ComponentKind, Outcome, ProjectId } from "../../contract/index.ts";

/** Id and name; for an agent the registry does not know, what it was called by. */
export type ReportedAgent = { readonly id: string; readonly name: string };

export type Report = {
  readonly kind: ComponentKind;
  readonly component: string;
  readonly agent?: ReportedAgent | undefined;
  readonly project?: ProjectId | undefined;
  readonly outcome: Outcome;
  readonly ms?: number | undefined;
  readonly error?: string | undefined;
  readonly cause?: Cause | undefined;
  /** Of the model it worked with. */
  readonly label?: string | undefined;
  readonly at: number;
};

/** A component that works for an agent is another one than the same for its neighbour. */
export function componentKey({ kind, component, agent }: Pick<Report, "kind" | "component" | "agent">): string {
  return JSON.stringify([kind, component, agent?.id ?? null]);
}

export function componentLabel({ kind, component, agent }: Pick<Report, "kind" | "component" | "agent">): string {
  return `${kind} ${component}${agent === undefined ? "" : ` (${agent.name})`}`;
}

/** A decision without protection is trouble too, even where the work went on. */
export function isFailing({ outcome }: Pick<Report, "outcome">): boolean {
  return outcome === "failed" || outcome === "timed-out" || outcome === "degraded";
}
