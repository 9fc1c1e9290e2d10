/** Changes of one entry: its marks, and its promotion to all sessions of the project, which is audited. */
import {
  DomainError,
  history as contract,
  type HistoryEntry,
  type InputOf,
  type OutputOf,
} from "../../contract/index.ts";
import { actorOf, type AuditRepository } from "../../platform/audit/index.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import { isPerson, refuseForeign, requireSession } from "./archive-scope.ts";
import { type ArchiveTx, shortEntry, type StorePorts } from "./store-entry.ts";

export type ChangeTx = ArchiveTx & { readonly audit: AuditRepository };

export async function markEntry(
  { id, mark }: InputOf<"history.mark">,
  call: AgentCall<ChangeTx>,
  ports: StorePorts,
): Promise<OutputOf<"history.mark">> {
  return changed(id, call, ports, async (entry, tx) => {
    const project = call.caller.project.id;
    await tx.archive.mark(id, project, mark);
    await tx.events.append(project, contract.HistoryMarked.of(id, { ...shortEntry(entry), mark }));
  });
}

/** The entry stays in its session: a promotion only lets the others see it, and can be revoked. */
export async function promoteEntry(
  { id, reason, revoke: revoked }: InputOf<"history.promote">,
  call: AgentCall<ChangeTx>,
  ports: StorePorts,
): Promise<OutputOf<"history.promote">> {
  const { caller } = call;
  return changed(id, call, ports, async (entry, tx) => {
    const project = caller.project.id;
    const by = caller.agent.name;
    await tx.archive.promote(id, project, revoked ? undefined : { reason, by, at: ports.clock.now() });
    await tx.events.append(project, contract.HistoryPromoted.of(id, { ...shortEntry(entry), reason, by, revoked }));
    await tx.audit.append({
      actor: actorOf(caller),
      action: revoked ? "history.promotion-revoked" : "history.promoted",
      subject: id,
      project,
      details: { session: entry.session, reason },
    });
  });
}

async function changed(
  id: string,
  { caller, transact }: AgentCall<ChangeTx>,
  { currentSession }: StorePorts,
  change: (entry: HistoryEntry, tx: ChangeTx) => Promise<void>,
): Promise<{ entry: HistoryEntry }> {
  const project = caller.project.id;
  const own = await currentSession(caller);
  return transact(project, async (tx) => {
    const entry = await tx.archive.find(id, project);
    if (entry === undefined) throw unknownEntry(id);
    if (!isPerson(caller)) refuseForeign(entry.session, requireSession(own));
    await change(entry, tx);
    return { entry: (await tx.archive.find(id, project))! };
  });
}

export function unknownEntry(id: string): DomainError {
  return new DomainError(
    "entry.not-found",
    `There is no entry ${id} in the archive of this project; "sylk history --all-sessions" shows them`,
    { details: { id } },
  );
}
