/**
 * The Guide's skills, called by name: each does what the operation of the same meaning does, for the same caller.
 *
 *   skill.call guide_sessions -> desk: known, loaded, input checked -> session.list
 */
import { showSkill } from "./agents/every-agent/index.ts";
import { createGuideSkills, type GuidePorts, guideRole, guideTools } from "./agents/guide/index.ts";
import type { Handlers, MessageId, SessionId } from "./contract/index.ts";
import { asAgent, type Parts, type Repositories } from "./compose-parts.ts";
import { type Guide, guideMetrics, type SessionRouter } from "./orchestration/guide/index.ts";
import type { Call } from "./platform/operations/index.ts";

type Doing = Pick<
  Handlers<Call<Repositories>>,
  "ask.send" | "session.list" | "session.get" | "session.stats" | "session.switch" | "session.create" | "session.close"
>;
type Ports = {
  readonly doing: Doing;
  readonly guide: Guide;
  readonly sessionOf: (call: Call<Repositories>) => Promise<SessionId>;
  readonly routerFor: (session: SessionId) => Promise<SessionRouter>;
};

const catalogue = {
  role: { ...guideRole, name: "guide" },
  files: { skills: [], problems: [] },
  tools: guideTools,
} as const;
const answerMs = 120_000;
const mostSessions = 50;
const tags = [
  "@to:<agent> text: to that agent",
  "@guide:<agent> text: the same",
  "@broadcast:<agent>,<agent> text: to several",
  "text without a tag: to whom it fits",
];

export function guideSkillHandlers({ store }: Parts, ports: Ports): Pick<Handlers<Call<Repositories>>, "skill.call"> {
  return {
    async "skill.call"({ name, input, session: wanted }, given) {
      const { name: skill } = showSkill(name, catalogue).skill;
      // What is kept for a repeated call is the whole answer, not that of the operation below.
      const call = asAgent({ ...given, transact: store.transact });
      if (wanted !== undefined) await ports.doing["session.get"]({ id: wanted }, call);
      const session = wanted ?? (await ports.sessionOf(call));
      const signal = call.signal ?? new AbortController().signal;
      const skills = createGuideSkills(session, portsOf(session, call, ports));
      return { skill, result: await skills.call(skill, input, { signal }) };
    },
  };
}

function portsOf(own: SessionId, call: ReturnType<typeof asAgent>, { doing, guide, routerFor }: Ports): GuidePorts {
  const project = { path: call.caller.tree };
  const send = (input: string, session: SessionId) =>
    doing["ask.send"]({ input, session: session === own ? undefined : session, project, timeoutMs: answerMs }, call);
  return {
    send: (input, { session }) => send(input, session),
    async route({ session, to, message }) {
      const answer = await send(`@to:${to} ${message}`, session);
      return { correlationId: answer.correlationId, answer };
    },
    async reply({ session, correlationId, response }) {
      const answer = { type: "USER_RESPONSE", payload: { text: response } } as const;
      (await routerFor(session)).reply(correlationId as MessageId, "guide", answer);
    },
    agents: async (session) =>
      (await routerFor(session)).agents().map(({ name, description }) => ({ name, description })),
    status: () => doing["session.stats"]({}, call),
    help: async (topic) => {
      const agents = (await routerFor(own)).agents().map(({ name, description = "" }) => `${name}: ${description}`);
      const lines = [...tags, ...agents];
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
