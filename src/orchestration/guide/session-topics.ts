/**
 * How topics are named: below its session for an agent of one session, without a prefix for a shared one.
 *
 *   session.{id}.{agent}.{channel}     session.{id}.status     {agent}.{channel}
 *
 * Invariant: an id or name that could reach into another topic (a dot, a star, nothing at all) is refused.
 */
import { invalidInput } from "../../contract/index.ts";

export const channels = ["requests", "responses", "errors"] as const;
export type Channel = (typeof channels)[number];

export const sessionPrefix = (session: string): string => `session.${segment(session, "session id")}`;
export const sessionTopic = (session: string, agent: string, channel: Channel): string =>
  `${sessionPrefix(session)}.${agentTopic(agent, channel)}`;
export const statusTopic = (session: string): string => `${sessionPrefix(session)}.status`;

/** Within a session, or of a shared agent. */
export function agentTopic(agent: string, channel: Channel): string {
  return `${segment(agent, "agent name")}.${channel}`;
}

function segment(text: string, what: string): string {
  if (/^[\w-]+$/.test(text)) return text;
  throw invalidInput(what, "only letters, digits, _ and - are allowed", {
    sentence: `${what} ${JSON.stringify(text)} cannot be part of a topic; use letters, digits, _ and -`,
  });
}
