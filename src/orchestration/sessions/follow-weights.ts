/**
 * Sets the weight of each session in the pool, from its preference.
 *
 *   session created | changed | preference set -> its weight            preference promoted -> all sessions of the project
 */
import type { LogEvent, ProjectId, Session, SessionId } from "../../contract/index.ts";
import type { Bus } from "../../platform/bus/index.ts";
import type { Pool } from "../../platform/pool/index.ts";
import type { SessionPart } from "./session-context.ts";
import type { SessionTx } from "./session-for.ts";
import { isOver } from "./session-states.ts";
import type { Sessions } from "./sessions-port.ts";

type WeightPorts<Tx, Parts extends Record<string, SessionPart>> = {
  readonly bus: Pick<Bus<LogEvent>, "subscribe">;
  readonly reader: Pick<SessionTx, "sessions">;
  readonly sessions: Pick<Sessions<Tx, Parts>, "preferences" | "busy">;
  readonly pool: Pick<Pool, "setWeight">;
};

const usual = "1";

export function followWeights<Tx, Parts extends Record<string, SessionPart>>({
  bus,
  reader,
  sessions,
  pool,
}: WeightPorts<Tx, Parts>): { start(): Promise<void>; stop(): void } {
  async function apply(session: SessionId): Promise<void> {
    const { weight = usual } = await sessions.preferences(session);
    pool.setWeight(session, Number(weight));
  }
  async function applyIn(project: ProjectId): Promise<void> {
    const all = await reader.sessions.list({ project, before: undefined, limit: -1 });
    for (const session of all) if (!isOver(session)) await apply(session.id);
  }
  const stops = [
    ...["created", "changed", "noted"].map((what) =>
      bus.subscribe(`event.session.${what}`, ({ data }) => {
        const { session } = data as { readonly session: Session };
        return isOver(session) ? undefined : apply(session.id);
      }),
    ),
    bus.subscribe("event.session.preference-promoted", ({ project }) => applyIn(project)),
  ];
  return {
    /** After a start, sets the weights of sessions that may have jobs at once. The others follow with their next change. */
    async start() {
      const [open, busy] = await Promise.all([reader.sessions.openIds(), sessions.busy()]);
      for (const session of new Set([...open, ...busy])) await apply(session);
    },
    stop: () => stops.forEach((stop) => stop()),
  };
}
