/** The refusal for a path that another agent holds or waits for: its holder, for how long, and what to type. */
import { DomainError } from "../../contract/index.ts";
import { viewHolder, type AgentRepository, type Liveness } from "../registry/index.ts";
import type { LeaseClock } from "../leases/index.ts";
import type { Overlap } from "./find-overlaps.ts";
import { viewReservation } from "./reservation-view.ts";
import type { Waiter } from "./wait-line.ts";

type Tx = { readonly agents: AgentRepository };
type Ports = { readonly leases: LeaseClock; readonly liveness: Liveness };

const waitAdvice = '"sylk reserve --wait" waits for it';
const lineAdvice = '"sylk reserve --wait" puts you in line';

/** The same refusal for one who has waited: what it did already is not advised again. */
export function stillHeld(refusal: DomainError, waitedMs: number): DomainError {
  const message = refusal.message
    .replace(`${waitAdvice}, `, "")
    .replace(lineAdvice, "wait longer, or choose other files");
  return new DomainError("reservation.conflict", `Not granted after ${span(waitedMs)} of waiting: ${message}`, {
    details: refusal.details,
    ...(refusal.retryAfterMs === undefined ? {} : { retryAfterMs: refusal.retryAfterMs }),
    cause: refusal,
  });
}

export async function heldBy(
  { record: held, witness }: Overlap,
  tx: Tx,
  { leases, liveness }: Ports,
): Promise<DomainError> {
  const record = await tx.agents.find(held.holder.id);
  const holder = record === undefined ? held.holder : viewHolder(record, liveness);
  const retryAfterMs = Math.max(1, leases.leftMs(held));
  const seen = record === undefined ? "" : `, ${liveness.statusOf(record)} ${ago(liveness.silenceMs(record.id))}`;
  const until = leases.isHeldBack(held.id)
    ? `until the processes of its killed session have ended ("sylk agent handoff ${held.holder.name}" lists them)`
    : `for ${span(retryAfterMs)} more`;
  return new DomainError(
    "reservation.conflict",
    `"${witness}" is held by ${held.holder.name} (${held.holder.client}${seen}) ${until}; ${waitAdvice}, "sylk negotiate ${held.id}" asks for it`,
    {
      details: {
        reservation: viewReservation(held, leases),
        holder,
        overlap: witness,
        secondsLeft: Math.ceil(retryAfterMs / 1000),
        suggestedAction: "wait",
        waitFor: held.id,
      },
      retryAfterMs,
    },
  );
}

export function behind({ agent }: Waiter): DomainError {
  return new DomainError("reservation.conflict", `${agent.name} already waits for it; ${lineAdvice}`, {
    details: { holder: agent, suggestedAction: "wait" },
    retryAfterMs: 1_000,
  });
}

function ago(ms: number): string {
  return ms < 1_000 ? "now" : `${span(ms)} ago`;
}

function span(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds <= 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
