/**
 * The skills of every agent: write to others, hear from them, answer them, tell several at once, and ask for a skill.
 *
 *   route_to -> Guide -> route_from of the other -> reply_to -> Guide -> the asker
 *
 * Names and parameters are fixed: agents are written against them.
 */
import { type DomainError, invalidInput, messageOf, type RoleName, type SessionId } from "../../contract/index.ts";
import { anything, bool, defineSkill, list, optional, text } from "../../knowledge/skills/index.ts";
import { callable, type CallableSkill } from "./callable-skill.ts";

const routing = { domain: "routing", tier: "core" } as const;

const routeTo = defineSkill({
  ...routing,
  name: "route_to",
  description:
    "Route a message to another agent via the Guide and get its answer. The Guide refuses an agent that may not be addressed and names those that may.",
  keywords: ["@to", "route", "send", "forward"],
  parameters: {
    target: text("Target agent, for example architect or librarian"),
    message: text("Message content to route"),
    context: optional(anything("Additional context to include")),
  },
  tokens: 118,
});

const routeFrom = defineSkill({
  ...routing,
  name: "route_from",
  description: "Process a message routed from another agent; it stays open until it is answered with reply_to.",
  keywords: ["@from", "receive", "handle"],
  parameters: {
    source: text("Source agent that sent the message"),
    message: text("Message content received"),
    correlation_id: text("Correlation ID for response matching"),
  },
  tokens: 98,
});

const replyTo = defineSkill({
  ...routing,
  name: "reply_to",
  description: "Reply to a previously received routed message, once or in several parts.",
  keywords: ["reply", "respond", "answer"],
  parameters: {
    correlation_id: text("Correlation ID of original message"),
    response: text("Response content"),
    complete: optional(bool("Mark conversation as complete; true unless more follows")),
  },
  tokens: 93,
});

const broadcast = defineSkill({
  ...routing,
  name: "broadcast",
  description: "Broadcast a message to multiple agents. The answer says for each whether it arrived, and why not.",
  keywords: ["broadcast", "notify", "all"],
  parameters: {
    targets: list(text("Agent"), "List of target agents"),
    message: text("Message to broadcast"),
  },
  tokens: 86,
});

export const loadSkill = defineSkill({
  name: "load_skill",
  description: "Load one of the skills that are listed by name, to read how such work is done here.",
  domain: "skills",
  keywords: ["load skill", "skill"],
  tier: "core",
  parameters: { name: text("Name of the skill, as it is listed") },
  tokens: 66,
});

export const sharedSkills = [routeTo, routeFrom, replyTo, broadcast, loadSkill] as const;

export type Outgoing = {
  readonly session: SessionId;
  readonly from: RoleName;
  readonly to: string;
  readonly message: string;
};
export type Reply = {
  readonly session: SessionId;
  readonly from: RoleName;
  readonly to: string;
  readonly correlationId: string;
  readonly response: string;
  readonly complete: boolean;
};
export type RoutingPort = {
  /** Through the Guide; refused with who may be addressed instead. */
  route(message: Outgoing, signal: AbortSignal): Promise<{ readonly correlationId: string; readonly answer?: unknown }>;
  reply(reply: Reply): Promise<void>;
};

/** The receiver reads words, so the context is added as words. */
export function withContext(message: string, context: Readonly<Record<string, unknown>> | undefined): string {
  return context === undefined ? message : `${message}\n\ncontext: ${JSON.stringify(context)}`;
}

/** Messages an agent has taken and not answered yet, by their correlation ids. */
export type OpenRequests = Map<string, { readonly source: string; readonly session: SessionId }>;

/** Beyond this the oldest is forgotten; the Guide's own deadline has passed for it long since. */
const mostOpen = 1_000;

/** `open` where an agent's calls come one by one, each with callables of its own. */
export function sharedCallables(
  { route, reply }: RoutingPort,
  open: OpenRequests = new Map(),
): readonly CallableSkill[] {
  return [
    callable(routeTo, "change", ({ target, message, context }, { session, agent, signal }) =>
      route({ session, from: agent, to: target, message: withContext(message, context) }, signal),
    ),
    callable(routeFrom, "change", async ({ source, correlation_id: id }, { session }) => {
      if (open.size >= mostOpen) open.delete(open.keys().next().value!);
      open.set(id, { source, session });
      return { open: open.size };
    }),
    callable(replyTo, "change", async ({ correlation_id: correlationId, response, complete = true }, call) => {
      const asked = open.get(correlationId);
      if (asked === undefined || asked.session !== call.session) throw unknownRequest(correlationId, [...open.keys()]);
      await reply({ session: call.session, from: call.agent, to: asked.source, correlationId, response, complete });
      if (complete) open.delete(correlationId);
      return { replied: asked.source, complete };
    }),
    callable(broadcast, "change", async ({ targets, message }, { session, agent, signal }) => {
      if (targets.length === 0) throw invalidInput("targets", "name at least one agent");
      const told = await Promise.all(
        [...new Set(targets)].map((to) =>
          route({ session, from: agent, to, message }, signal).then(
            ({ correlationId }) => ({ to, arrived: true as const, correlationId }),
            (error: unknown) => ({
              to,
              arrived: false as const,
              why: messageOf(error),
            }),
          ),
        ),
      );
      return { told };
    }),
  ];
}

function unknownRequest(id: string, open: readonly string[]): DomainError {
  const known = open.length === 0 ? "nothing is open" : `open are ${open.slice(-20).join(", ")}`;
  return invalidInput("correlation_id", `no message with "${id}" waits for an answer; ${known}`);
}
