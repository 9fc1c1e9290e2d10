/** Fencing: an agent that still works with a grant that has ended is told so at every gate, instead of being granted again. */
import { DomainError, type AgentCaller } from "../../contract/index.ts";
import type { LeaseClock } from "../leases/index.ts";
import type { ReservationRepository } from "./store.ts";

export async function refuseLostToken(
  token: number | undefined,
  { agent, project }: AgentCaller,
  { reservations }: { readonly reservations: ReservationRepository },
  { leases }: { readonly leases: LeaseClock },
): Promise<void> {
  if (token === undefined) return;
  const own = await reservations.liveOf(project.id, agent.id);
  const holds = own.some(
    (record) => record.firstToken <= token && token <= record.fencingToken && leases.isLive(record),
  );
  if (holds) return;
  throw new DomainError(
    "lease.lost",
    `The grant with token ${token} has ended. Look at what has changed since, then reserve the paths again`,
    { details: { fencingToken: token } },
  );
}
