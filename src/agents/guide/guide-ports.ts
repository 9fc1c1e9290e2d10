/** What the Guide's own skills do: questions, agents, sessions and metrics, by the operations of the same meaning. */
import type { SessionId } from "../../contract/index.ts";
import { guideMetrics } from "../../orchestration/ask/index.ts";
import { addressedTo, type Guide, type SessionRouter } from "../../orchestration/guide/index.ts";
import type { AgentCall, OperationHandlers } from "../../platform/operations/index.ts";
import type { SlashCommands } from "../skills/index.ts";
import type { GuidePorts } from "./guide-skills.ts";

export type GuideOperations<Tx> = OperationHandlers<
  Tx,
  "ask.send" | "session.list" | "session.get" | "session.stats" | "session.switch" | "session.create" | "session.close"
>;
export type GuideSkillPorts<Tx> = {
  readonly operations: GuideOperations<Tx>;
  readonly guide: Guide;
  readonly commands: SlashCommands["known"];
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

/** In the caller's current session. */
export function sendAs<Tx>(call: AgentCall<Tx>, operations: Pick<GuideOperations<Tx>, "ask.send">) {
  const project = { path: call.caller.tree };
  return (input: string) => operations["ask.send"]({ input, project, timeoutMs: answerMs }, call);
}

export function guidePorts<Tx>(
  own: SessionId,
  call: AgentCall<Tx>,
  { operations, guide, commands, routerFor }: GuideSkillPorts<Tx>,
): GuidePorts {
  const send = sendAs(call, operations);
  return {
    send,
    async route({ to, message }) {
      const answer = await send(addressedTo(to, message));
      return { correlationId: answer.correlationId, answer };
    },
    agents: async (session) =>
      (await routerFor(session)).agents().map(({ name, description }) => ({ name, description })),
    status: () => operations["session.stats"]({}, call),
    help: async (topic) => {
      const agents = (await routerFor(own)).agents().map(({ name, description = "" }) => `${name}: ${description}`);
      const lines = [
        ...tags,
        ...agents,
        ...commands.map(({ name, agent, summary }) => `/${name}: ${summary} (${agent})`),
      ];
      return { help: topic === undefined ? lines : lines.filter((line) => line.includes(topic)) };
    },
    sessions: ({ all }) =>
      operations["session.list"]({ limit: mostSessions, ...(all ? {} : { state: "active" }) }, call),
    async metrics(of) {
      if (of !== undefined) await operations["session.get"]({ id: of }, call);
      return guideMetrics({ session: of ?? own }, guide);
    },
    switchSession: (id) => operations["session.switch"]({ id }, call),
    createSession: (name = "session") => operations["session.create"]({ name, description: "", waitMs: 0 }, call),
    closeSession: (id) => operations["session.close"]({ id, failed: false }, call),
  };
}
