/**
 * Agents on a real bus, in sessions, without models: requests go over topics of the session, answers come back by their
 * correlation id. And two skills of later roles, to see that text loads what it should.
 */
import type { RoleName, SessionId } from "../../contract/index.ts";
import { defineSkill, list, optional, text } from "../../knowledge/skills/index.ts";
import { createAskBus } from "../../platform/bus/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import type { CallableSkill } from "./callable-skill.ts";
import { defineRole } from "./define-role.ts";
import { type Outgoing, type Reply, sharedCallables } from "./shared-skills.ts";
import { createSkillDesk, type SkillDesk } from "./skill-desk.ts";

export const session = (name: string): SessionId => `ses_${name}` as SessionId;
export const { signal } = new AbortController();

export type Switchboard = {
  /** Everything that was sent, in order. */
  readonly sent: readonly Outgoing[];
  readonly replies: readonly Reply[];
  /** An agent that takes what is written to it, and answers by `answer` with reply_to. */
  seat(at: SessionId, role: RoleName, terms?: SeatTerms): SkillDesk;
};
type SeatTerms = { readonly answer?: string; readonly own?: readonly CallableSkill[] };

export function switchboard(): Switchboard {
  const bus = createAskBus<Outgoing & { readonly correlationId: string }, string>({ clock: manualClock() });
  const sent: Outgoing[] = [];
  const replies: Reply[] = [];
  const topic = (at: SessionId, role: string): string => `session.${at}.${role}.requests`;
  return {
    sent,
    replies,
    seat(at, role, { answer = "seen", own = [] } = {}) {
      const desk = createSkillDesk({
        role: defineRole({ card: { name: role }, core: own.map(({ skill }) => skill), extended: [] }),
        session: at,
        callable: [
          ...sharedCallables({
            async route(message, stop) {
              const correlationId = `msg_${sent.push(message)}`;
              const subject = topic(message.session, message.to);
              const said = await bus.ask(subject, { ...message, correlationId }, { deadlineMs: 1_000, signal: stop });
              return { correlationId, answer: said };
            },
            async reply(reply) {
              replies.push(reply);
            },
          }),
          ...own,
        ],
      });
      bus.respond(topic(at, role), async ({ from, message, correlationId }) => {
        await desk.call("route_from", { source: from, message, correlation_id: correlationId }, { signal });
        await desk.call("reply_to", { correlation_id: correlationId, response: answer }, { signal });
        return answer;
      });
      return desk;
    },
  };
}

export const analyzeImports = defineSkill({
  name: "analyze_imports",
  description: "Analyze import relationships for a package",
  domain: "codebase",
  keywords: ["imports", "dependencies", "packages", "graph"],
  tier: "domain",
  parameters: { package: text("Package path to analyze") },
});

export const compareApproaches = defineSkill({
  name: "compare_approaches",
  description: "Compare different approaches to solving a problem",
  domain: "research",
  keywords: ["compare", "tradeoff", "versus", "vs", "pros", "cons"],
  tier: "domain",
  parameters: {
    topic: text("Topic to compare approaches for"),
    approaches: optional(list(text("Approach"), "Specific approaches to compare")),
  },
});
