/** The first agent that blocks paths or globs now. A question counts as a wish: once an agent waits, only edits keep a hold. */
import type { AgentCaller, AgentId, ProjectId } from "../../contract/index.ts";
import { compileInput, type CoveredPaths } from "./covered-paths.ts";
import { findOverlaps, type Overlap } from "./find-overlaps.ts";
import type { ReservationPorts } from "./ports.ts";
import { type Claimant, couldBlock } from "./rivals.ts";
import type { LeaseClock } from "../leases/index.ts";
import type { ReservationRecord, ReservationRepository } from "./store.ts";

type Ports = Pick<ReservationPorts, "store" | "leases">;

/** How long a hold counts as wanted after an agent was refused it: an agent that tries again now and then waits, too. */
export const interestMs = 2 * 60_000;

export async function firstBlocker(
  claimant: Claimant & { readonly covered: CoveredPaths },
  { project }: AgentCaller,
  waitMs: number,
  { store, leases }: Ports,
  mayStay: readonly AgentId[] = [],
): Promise<Overlap | undefined> {
  for await (const found of findOverlaps(project.id, claimant.covered, store.reader.reservations)) {
    const { record } = found;
    if (!couldBlock(record, claimant) || mayStay.includes(record.holder.id) || !leases.isLive(record)) continue;
    leases.contest(record, waitMs);
    if (leases.isLive(record)) return found;
  }
  return undefined;
}

/** The first live hold of another agent on anything that globs cover; `mayStay` are holders who do not mind. */
export function blockerOf(
  patterns: readonly string[],
  caller: AgentCaller,
  mayStay: readonly AgentId[],
  ports: Ports,
): Promise<Overlap | undefined> {
  const { agent, tree } = caller;
  const covered = compileInput({ paths: [], patterns }, tree);
  return firstBlocker({ agent, tree, mode: "exclusive", scope: "tree", covered }, caller, interestMs, ports, mayStay);
}

/** The live hold that blocks a claimant now. For views: asking changes nothing about the hold. */
export async function findBlocker(
  project: ProjectId,
  claimant: Claimant & { readonly covered: CoveredPaths },
  {
    store,
    leases,
  }: {
    readonly store: { readonly reader: { readonly reservations: ReservationRepository } };
    readonly leases: Pick<LeaseClock, "isLive">;
  },
): Promise<ReservationRecord | undefined> {
  for await (const { record } of findOverlaps(project, claimant.covered, store.reader.reservations))
    if (couldBlock(record, claimant) && leases.isLive(record)) return record;
  return undefined;
}
