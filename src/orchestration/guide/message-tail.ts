/** The latest messages of each session, in memory: for people who look, and gone with the session's router. */
import type { Message, SessionId, SessionMessageFact } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { Channel } from "./session-topics.ts";

export type MessageTail = {
  /** Oldest first. */
  readonly items: readonly SessionMessageFact[];
  readonly lastSequence: number;
  /** Older ones that made room. */
  readonly forgotten: number;
};

const longestText = 200;
const empty: MessageTail = { items: [], lastSequence: 0, forgotten: 0 };

export function createMessageTails(keep: number) {
  const tails = new Map<SessionId, { readonly items: SessionMessageFact[]; lastSequence: number; forgotten: number }>();
  return {
    add(channel: Channel, topic: string, message: Message): void {
      const { session } = message;
      const tail = tails.get(session) ?? { items: [], lastSequence: 0, forgotten: 0 };
      tails.set(session, tail);
      tail.items.push(factOf(++tail.lastSequence, { channel, topic }, message));
      if (tail.items.length <= keep) return;
      tail.items.shift();
      tail.forgotten++;
    },
    of: (session: SessionId): MessageTail => tails.get(session) ?? empty,
    drop: (session: SessionId): void => void tails.delete(session),
  };
}

function factOf(sequence: number, place: { channel: Channel; topic: string }, message: Message): SessionMessageFact {
  const { id, correlationId, from, to, type, priority, status, error, payload } = message;
  const at = message.processedAt ?? message.at;
  const text = typeof payload.text === "string" ? payload.text.slice(0, longestText) : undefined;
  return { sequence, at, id, correlationId, ...place, from, to, type, priority, status, ...defined({ text, error }) };
}
