/** Archives the history of a completed session. */
import type { Session } from "../../contract/index.ts";
import type { ArchiveRepository } from "../../knowledge/archive/index.ts";

export function keepEndedSession(session: Session, tx: { readonly archive: ArchiveRepository }): Promise<void> {
  const { id, project, name: title, updatedAt: at } = session;
  return tx.archive.keep(project, { id, session: id, category: "session", title, content: { ...session }, at });
}
