/** What the Guide's own skills do: questions, agents, sessions and metrics, by the operations of the same meaning. */
import type { GuidePorts } from "../../agents/guide/index.ts";
import type { SessionId } from "../../contract/index.ts";
import type { Repositories } from "./parts.ts";
import type { Slash } from "./slash.ts";
import { addressedTo, type Guide, guideMetrics, type SessionRouter } from "../../orchestration/guide/index.ts";
import type { AgentCall, OperationHandlers } from "../../platform/operations/index.ts";

export type GuideDoing = OperationHandlers<
  Repositories,
  "ask.send" | "session.list" | "session.get" | "session.stats" | "session.switch" | "session.create" | "session.close"
>;
export type GuideTerms = {
  readonly doing: GuideDoing;
  readonly guide: Guide;
  readonly slash: Slash;
  readonly routerFor: (session: SessionId) => Promise<SessionRouter>;
};

const answerMs = 120_000;
const mostSessions = 50;
const tags = [
  "@to:<agent> text: to that agent",
  "@guide:<agent> text: the same",
  "@broadcast:<agent>,<agent> text: to several",
  "text without a tag: to whom it fits",
];

/** In the session the caller looks at. */
export function sendAs(call: AgentCall<Repositories>, doing: Pick<GuideDoing, "ask.send">) {
  const project = { path: call.caller.tree };
  return (input: string) => doing["ask.send"]({ input, project, timeoutMs: answerMs }, call);
}

export function guidePorts(
  own: SessionId,
  call: AgentCall<Repositories>,
  { doing, guide, slash, routerFor }: GuideTerms,
): GuidePorts {
  const send = sendAs(call, doing);
  return {
    send,
    async route({ to, message }) {
      const answer = await send(addressedTo(to, message));
      return { correlationId: answer.correlationId, answer };
    },
    agents: async (session) =>
      (await routerFor(session)).agents().map(({ name, description }) => ({ name, description })),
    status: () => doing["session.stats"]({}, call),
    help: async (topic) => {
      const agents = (await routerFor(own)).agents().map(({ name, description = "" }) => `${name}: ${description}`);
      const commands = slash.known.map(({ name, agent, summary }) => `/${name}: ${summary} (${agent})`);
      const lines = [...tags, ...agents, ...commands];
      return { help: topic === undefined ? lines : lines.filter((line) => line.includes(topic)) };
    },
    sessions: ({ all }) => doing["session.list"]({ limit: mostSessions, ...(all ? {} : { state: "active" }) }, call),
    async metrics(of) {
      if (of !== undefined) await doing["session.get"]({ id: of }, call);
      return guideMetrics({ session: of ?? own }, guide);
    },
    switchSession: (id) => doing["session.switch"]({ id }, call),
    createSession: (name = "session") => doing["session.create"]({ name, description: "", waitMs: 0 }, call),
    closeSession: (id) => doing["session.close"]({ id, failed: false }, call),
  };
}
