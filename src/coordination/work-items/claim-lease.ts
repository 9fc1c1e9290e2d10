/**
 * A claim's lease is its owner's liveness: any call of the owner renews it, so it has no clock of its own.
 * It ends when the owner has been silent for the claim's time limit.
 */
import type { Clock } from "../../platform/clock/index.ts";
import type { Liveness } from "../registry/index.ts";
import type { WorkItemRecord } from "./store.ts";

type Ports = { readonly liveness: Liveness; readonly clock: Clock };

/** Milliseconds the present owner keeps the item without another call; 0 without a live owner. */
export function claimLeftMs({ owner, claimTtlMs = 0 }: WorkItemRecord, { liveness }: Pick<Ports, "liveness">): number {
  return owner === undefined ? 0 : Math.max(0, claimTtlMs - liveness.silenceMs(owner.id));
}

export function leaseOf(record: WorkItemRecord, ports: Ports): { fencingToken: number; expiresAt: number } {
  return { fencingToken: record.fencingToken, expiresAt: ports.clock.now() + claimLeftMs(record, ports) };
}
