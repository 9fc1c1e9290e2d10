/** An agent's end: frees what it reserved, returns what it claimed, revokes its tokens; one transaction. */
import { agent as contract, type AgentId, type OutputOf } from "../../contract/index.ts";
import { actorOf, type AuditRepository } from "../../platform/audit/index.ts";
import type { Call } from "../../platform/operations/index.ts";
import type { LeaseClock } from "../leases/index.ts";
import {
  findAgent,
  refOf,
  refuseOthers,
  viewAgent,
  type AgentRecord,
  type RegistryPorts,
  type RegistryRepositories,
} from "../registry/index.ts";
import { endReservation, type ReservationRepository } from "../reservations/index.ts";
import { endClaim, type WorkItemRepository } from "../work-items/index.ts";

export type DepartureRepositories = RegistryRepositories & {
  readonly reservations: ReservationRepository;
  readonly workItems: WorkItemRepository;
  readonly audit: AuditRepository;
};
type Ports = RegistryPorts & { readonly leases: LeaseClock };

export async function endAgent(
  id: AgentId,
  { caller, transact }: Call<DepartureRepositories>,
  ports: Ports,
): Promise<OutputOf<"agent.end">> {
  refuseOthers(id, caller, "end");
  const { project } = await findAgent(id, caller, ports);
  return transact(project.id, async (tx) => {
    const record = (await tx.agents.find(id))!;
    const reservations = await tx.reservations.liveOf(project.id, id);
    for (const reservation of reservations) await endReservation(reservation, "released", tx, ports);
    const claims = await tx.workItems.ownedBy(id);
    for (const claim of claims) await endClaim(claim, "open", "released", tx, ports);
    const ended: AgentRecord = { ...record, endedAt: record.endedAt ?? ports.clock.now() };
    await tx.agents.update(ended);
    await tx.tokens.revokeAllOf(id);
    if (record.endedAt === undefined)
      await tx.events.append(project.id, contract.AgentEnded.of(id, { agent: refOf(record) }));
    // The user may take from an agent what is protected against everybody else.
    if (caller.kind === "user" && reservations.length + claims.length > 0)
      await tx.audit.append({
        actor: actorOf(caller),
        action: "agent.ended",
        subject: id,
        project: project.id,
        details: { name: record.name, releasedReservations: reservations.length, releasedClaims: claims.length },
      });
    tx.afterCommit(() => ports.liveness.forget(id));
    return {
      agent: viewAgent(ended, ports.liveness),
      releasedReservations: reservations.length,
      releasedClaims: claims.length,
    };
  });
}
