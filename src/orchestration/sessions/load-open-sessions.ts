/** After a start, loads every open session into memory, with its topics. Reports and leaves out a session that cannot be loaded. */
import type { SessionId } from "../../contract/index.ts";
import type { SessionPart } from "./session-context.ts";
import type { SessionTx } from "./session-for.ts";
import type { Sessions } from "./sessions-port.ts";

export async function loadOpenSessions<Tx, Parts extends Record<string, SessionPart>>(
  sessions: Pick<Sessions<Tx, Parts>, "context">,
  reader: Pick<SessionTx, "sessions">,
  onFailed: (session: SessionId, error: unknown) => void,
): Promise<void> {
  for (const id of await reader.sessions.openIds())
    await sessions.context(id).catch((error: unknown) => onFailed(id, error));
}
