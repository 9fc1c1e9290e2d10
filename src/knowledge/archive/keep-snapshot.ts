/** Snapshots of a session's entries, and the session that a person has chosen for theirs. */
import { DomainError, historyUpkeep as contract, type InputOf, type OutputOf } from "../../contract/index.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import { isPerson, refuseForeign, requireSession, type SessionPorts, targetSession } from "./archive-scope.ts";
import type { ArchiveTx, StorePorts } from "./store-entry.ts";
import type { ArchiveRepository } from "./store.ts";

export async function takeSnapshot(
  { session: wanted }: InputOf<"history.snapshot">,
  { caller, transact }: AgentCall<ArchiveTx>,
  ports: StorePorts,
): Promise<OutputOf<"history.snapshot">> {
  const project = caller.project.id;
  const session = await targetSession(wanted, caller, ports);
  const terms = { id: ports.ids.next("ent"), session, at: ports.clock.now() };
  return transact(project, async (tx) => ({ snapshot: await tx.archive.saveSnapshot(project, terms) }));
}

/** In one transaction: a query sees the entries of before or those of the snapshot, never a part. */
export async function restoreSnapshot(
  { id }: InputOf<"history.restore">,
  { caller, transact }: AgentCall<ArchiveTx>,
  ports: StorePorts,
): Promise<OutputOf<"history.restore">> {
  const project = caller.project.id;
  const own = requireSession(await ports.currentSession(caller));
  return transact(project, async (tx) => {
    const snapshot = await tx.archive.findSnapshot(id, project);
    if (snapshot === undefined) throw unknownSnapshot(id);
    if (!isPerson(caller)) refuseForeign(snapshot.session, own);
    const { session, entries } = snapshot;
    const now = { id: ports.ids.next("ent"), session, at: ports.clock.now() };
    const before = await tx.archive.saveSnapshot(project, now, id);
    const removed = await tx.archive.restoreSnapshot(id, project);
    const told = contract.HistoryRestored.of(id, { snapshot: id, session, entries, removed });
    await tx.events.append(project, told);
    return { snapshot, removed, before };
  });
}

function unknownSnapshot(id: string): DomainError {
  return new DomainError(
    "entry.not-found",
    `There is no snapshot ${id} in this project; the five latest of each session are kept, and "sylk history snapshot" saves one`,
    { details: { id } },
  );
}

/** An agent belongs to one session, so only a person chooses another. */
export async function chooseSession(
  { session: wanted }: InputOf<"history.use">,
  { caller, transact }: AgentCall<ArchiveTx>,
  ports: StorePorts,
): Promise<OutputOf<"history.use">> {
  if (!isPerson(caller))
    throw new DomainError(
      "caller.denied",
      "Only the user chooses a session for their entries; an agent's entries belong to the session that it works in",
      { details: { needed: "the user's token" } },
    );
  const project = caller.project.id;
  const chosen = wanted === undefined ? undefined : await targetSession(wanted, caller, ports);
  await transact(project, (tx) => tx.archive.chooseSession(project, personsClient, chosen));
  return { session: requireSession(await ports.currentSession(caller)), chosen: chosen !== undefined };
}

/** A person has one choice in each project. */
const personsClient = "user";

/** The session that a person has chosen for their entries, else the one that the caller acts in. */
export function chosenOr(
  current: SessionPorts["currentSession"],
  archive: Pick<ArchiveRepository, "chosenSession">,
): SessionPorts["currentSession"] {
  return async (caller) => {
    const { project } = caller;
    const chosen =
      isPerson(caller) && project !== undefined ? await archive.chosenSession(project.id, personsClient) : undefined;
    return chosen ?? current(caller);
  };
}
