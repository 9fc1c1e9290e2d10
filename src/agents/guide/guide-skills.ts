/**
 * The Guide's skills with what they do. Everything real is behind ports: the router, the sessions, the metrics.
 *
 *   guide_sessions -> sessions -> desk (known, loaded, checked) -> port
 */
import type { SessionId } from "../../contract/index.ts";
import { callable, createSkillDesk, type RoutingPort, sharedCallables, type SkillDesk } from "../every-agent/index.ts";
import {
  agents,
  closeSession,
  createSession,
  guideRole,
  guideRoute,
  guideTools,
  help,
  listSessions,
  metrics,
  route,
  status,
  switchSession,
} from "./skills.ts";

export type GuidePorts = RoutingPort & {
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

export type GuideSkills = SkillDesk & {
  /** By the tool's name, as models know it. */
  callTool(tool: string, input: unknown, terms: Parameters<SkillDesk["call"]>[2]): Promise<unknown>;
};

export function createGuideSkills(session: SessionId, ports: GuidePorts): GuideSkills {
  const desk = createSkillDesk({
    role: guideRole,
    session,
    callable: [
      ...sharedCallables(ports),
      callable(route, "change", ({ input }, call) => ports.send(input, call)),
      callable(guideRoute, "change", ({ agent, prompt, context }, call) =>
        ports.route({ session: call.session, from: "guide", to: agent, message: prompt, context }, call.signal),
      ),
      callable(help, "read", ({ topic }) => ports.help(topic)),
      callable(status, "read", (_, call) => ports.status(call.session)),
      callable(agents, "read", (_, call) => ports.agents(call.session)),
      callable(listSessions, "read", ({ all = false }) => ports.sessions({ all })),
      callable(metrics, "read", ({ session_id: of }) => ports.metrics(of as SessionId | undefined)),
      callable(switchSession, "change", ({ session_id: to }) => ports.switchSession(to as SessionId)),
      callable(createSession, "change", ({ name }) => ports.createSession(name)),
      callable(closeSession, "change", ({ session_id: of }) => ports.closeSession(of as SessionId)),
    ],
  });
  return { ...desk, callTool: (tool, input, terms) => desk.call(guideTools[tool] ?? tool, input, terms) };
}
