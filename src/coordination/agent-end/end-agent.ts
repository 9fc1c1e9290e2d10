/** An agent's end, and with it that of its sub-agents: what they have is freed, their tokens are revoked; one transaction. */
import type { AgentId, OutputOf } from "../../contract/index.ts";
import { actorOf, type AuditRepository } from "../../platform/audit/index.ts";
import type { Call } from "../../platform/operations/index.ts";
import type { HandoffRepositories } from "../handoff/index.ts";
import type { DeadlineClock, LeaseClock } from "../leases/index.ts";
import type { ProgressClock } from "../work-items/index.ts";
import { findAgent, refuseOthers, viewAgent, type AgentRecord, type RegistryPorts } from "../registry/index.ts";
import { leave } from "./leave.ts";

export type EndAgentPorts = RegistryPorts & {
  readonly leases: LeaseClock;
  readonly deadlines: DeadlineClock;
  readonly progress: ProgressClock;
};

export async function endAgent(
  id: AgentId,
  { caller, transact }: Call<HandoffRepositories & { readonly audit: AuditRepository }>,
  ports: EndAgentPorts,
): Promise<OutputOf<"agent.end">> {
  refuseOthers(id, caller, "end");
  const { project } = await findAgent(id, caller, ports);
  return transact(project.id, async (tx) => {
    const record = (await tx.agents.find(id))!;
    const family = record.endedAt === undefined ? await familyOf(record, tx) : [];
    const freed = await leave(
      family.map((member) => ({ record: member, reason: "ended" })),
      tx,
      ports,
    );
    // The user may take from an agent what is protected against all other agents.
    if (caller.kind === "user" && freed.reservations + freed.claims > 0)
      await tx.audit.append({
        actor: actorOf(caller),
        action: "agent.ended",
        subject: id,
        project: project.id,
        details: { name: record.name, releasedReservations: freed.reservations, releasedClaims: freed.claims },
      });
    return {
      agent: viewAgent((await tx.agents.find(id))!, ports.liveness),
      releasedReservations: freed.reservations,
      releasedClaims: freed.claims,
      endedChildren: Math.max(0, family.length - 1),
    };
  });
}

/** The agent and everyone below it that has not ended. */
async function familyOf(record: AgentRecord, tx: Pick<HandoffRepositories, "agents">): Promise<readonly AgentRecord[]> {
  const family = [record];
  for (const member of family) family.push(...(await tx.agents.childrenOf(member.id)));
  return family;
}
