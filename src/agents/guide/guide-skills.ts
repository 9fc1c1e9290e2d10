/**
 * The Guide's skills with what they do. Everything real is behind ports: the router, the sessions, the metrics.
 *
 *   guide_sessions -> sessions -> desk (known, loaded, checked) -> port
 */
import type { SessionId } from "../../contract/index.ts";
import { callable, type CallableSkill, type RoutingPort, withContext } from "../skills/index.ts";
import {
  agents,
  closeSession,
  createSession,
  guideRoute,
  help,
  listSessions,
  metrics,
  route,
  status,
  switchSession,
} from "./skills.ts";

export type GuidePorts = Pick<RoutingPort, "route"> & {
  /** A request as it was written, with its tag if it has one. */
  send(input: string, from: { readonly session: SessionId; readonly signal: AbortSignal }): Promise<unknown>;
  agents(session: SessionId): Promise<unknown>;
  status(session: SessionId): Promise<unknown>;
  help(topic: string | undefined): Promise<unknown>;
  sessions(wanted: { readonly all: boolean }): Promise<unknown>;
  metrics(session: SessionId | undefined): Promise<unknown>;
  switchSession(to: SessionId): Promise<unknown>;
  createSession(name: string | undefined): Promise<unknown>;
  closeSession(session: SessionId): Promise<unknown>;
};

/** Those of every agent are not among them. */
export function guideCallables(ports: GuidePorts): readonly CallableSkill[] {
  return [
    callable(route, "change", ({ input }, call) => ports.send(input, call)),
    callable(guideRoute, "change", ({ agent, prompt, context }, call) =>
      ports.route(
        { session: call.session, from: "guide", to: agent, message: withContext(prompt, context) },
        call.signal,
      ),
    ),
    callable(help, "read", ({ topic }) => ports.help(topic)),
    callable(status, "read", (_, call) => ports.status(call.session)),
    callable(agents, "read", (_, call) => ports.agents(call.session)),
    callable(listSessions, "read", ({ all = false }) => ports.sessions({ all })),
    callable(metrics, "read", ({ session_id: of }) => ports.metrics(of as SessionId | undefined)),
    callable(switchSession, "change", ({ session_id: to }) => ports.switchSession(to as SessionId)),
    callable(createSession, "change", ({ name }) => ports.createSession(name)),
    callable(closeSession, "change", ({ session_id: of }) => ports.closeSession(of as SessionId)),
  ];
}
