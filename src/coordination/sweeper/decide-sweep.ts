/**
 * Finds expired leases and lost agents: a pure decision over a snapshot. `nextInMs` says when it is worth looking again;
 * undefined: never.
 *
 * An agent goes when its process is gone, when it was silent for too long, or with its parent. What it holds goes with
 * it and is not listed a second time.
 */
import type { AgentId, OfflineReason } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { Leaving } from "../agent-end/index.ts";
import type { AgentRecord } from "../registry/index.ts";
import type { ReservationRecord } from "../reservations/index.ts";
import type { WorkItemRecord } from "../work-items/index.ts";

type Leased<Item> = { readonly record: Item; readonly leftMs: number };

export type SweepSnapshot = {
  readonly agents: readonly (Leased<AgentRecord> & {
    readonly processGone: boolean;
    readonly left?: Leaving["left"];
  })[];
  readonly reservations: readonly Leased<ReservationRecord>[];
  readonly claims: readonly Leased<WorkItemRecord>[];
};
export type SweepDecision = {
  readonly offline: readonly (Leaving & { readonly reason: OfflineReason })[];
  readonly expired: readonly ReservationRecord[];
  readonly unclaimed: readonly WorkItemRecord[];
  readonly nextInMs: number | undefined;
};

export function decideSweep({ agents, reservations, claims }: SweepSnapshot): SweepDecision {
  const offline = whoIsGone(agents);
  const gone = new Set(offline.map(({ record }) => record.id));
  const staying = <Item>(entries: readonly Leased<Item>[], holderOf: (item: Item) => AgentId | undefined) =>
    entries.filter(({ record }) => !gone.has(holderOf(record)!));
  const held = staying(reservations, ({ holder }) => holder.id);
  const claimed = staying(claims, ({ owner }) => owner?.id);
  const remaining = [...staying(agents, ({ id }) => id), ...held, ...claimed]
    .map(({ leftMs }) => leftMs)
    .filter((leftMs) => leftMs > 0);
  return {
    offline,
    expired: overdue(held),
    unclaimed: overdue(claimed),
    nextInMs: remaining.length === 0 ? undefined : remaining.reduce((least, leftMs) => Math.min(least, leftMs)),
  };
}

function whoIsGone(agents: SweepSnapshot["agents"]): SweepDecision["offline"] {
  const gone = new Map<AgentId, SweepDecision["offline"][number]>();
  for (const { record, leftMs, processGone, left } of agents) {
    if (processGone) gone.set(record.id, { record, reason: "process-gone", ...defined({ left }) });
    else if (leftMs <= 0) gone.set(record.id, { record, reason: "silent" });
  }
  const childrenOf = Map.groupBy(agents, ({ record }) => record.parent);
  // A map is walked to its end, also over what is added on the way: children's children are reached, too.
  for (const [id, { left }] of gone)
    for (const { record } of childrenOf.get(id) ?? [])
      if (!gone.has(record.id)) gone.set(record.id, { record, reason: "parent-offline", ...defined({ left }) });
  return [...gone.values()];
}

function overdue<Item>(entries: readonly Leased<Item>[]): readonly Item[] {
  return entries.filter(({ leftMs }) => leftMs <= 0).map(({ record }) => record);
}
