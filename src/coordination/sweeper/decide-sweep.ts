/** What has run out: a pure decision over a snapshot. `nextInMs` says when it is worth looking again; undefined: never. */
import type { AgentRecord } from "../registry/index.ts";
import type { ReservationRecord } from "../reservations/index.ts";
import type { WorkItemRecord } from "../work-items/index.ts";

export type SweepSnapshot = {
  readonly agents: readonly { readonly record: AgentRecord; readonly leftMs: number }[];
  readonly reservations: readonly { readonly record: ReservationRecord; readonly leftMs: number }[];
  readonly claims: readonly { readonly record: WorkItemRecord; readonly leftMs: number }[];
};
export type SweepDecision = {
  readonly silent: readonly AgentRecord[];
  readonly expired: readonly ReservationRecord[];
  readonly unclaimed: readonly WorkItemRecord[];
  readonly nextInMs: number | undefined;
};

export function decideSweep({ agents, reservations, claims }: SweepSnapshot): SweepDecision {
  const remaining = [...agents, ...reservations, ...claims].map(({ leftMs }) => leftMs).filter((leftMs) => leftMs > 0);
  return {
    silent: overdue(agents),
    expired: overdue(reservations),
    unclaimed: overdue(claims),
    nextInMs: remaining.length === 0 ? undefined : remaining.reduce((least, leftMs) => Math.min(least, leftMs)),
  };
}

function overdue<Item>(entries: readonly { readonly record: Item; readonly leftMs: number }[]): readonly Item[] {
  return entries.filter(({ leftMs }) => leftMs <= 0).map(({ record }) => record);
}
