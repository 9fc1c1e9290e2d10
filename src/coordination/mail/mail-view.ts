/** A message as callers see it, cut to what an answer may hold. */
import type { AgentRef, Correspondent, Mail, Project } from "../../contract/index.ts";
import type { MessageRecord, Party, SentMessage } from "./store.ts";

export function viewMail(record: MessageRecord & { readonly sequence?: number }): Mail {
  const { sequence: _sequence, project, audience, from, to, ...mail } = record;
  const crosses = [from, ...to].some(({ home }) => home !== undefined && home.id !== project);
  return {
    ...mail,
    from: viewParty(from, crosses),
    ...(audience === "agents" ? { to: to.map((party) => viewParty(party, crosses)) } : {}),
    ...(audience === "everyone" ? { everyone: true } : {}),
  };
}

export function partyOf({ id, name, client, project }: AgentRef & { readonly project: Project }): Party {
  return { id, name, client, home: { id: project.id, name: project.name } };
}

/** The project is said where it is not clear. */
export function viewParty({ id, name, client, home }: Party, crosses: boolean): Correspondent {
  return { id, name, client, ...(crosses && home !== undefined ? { project: home.name } : {}) };
}

/**
 * As many messages as fit, whole; the first is cut if it alone is too long, so that an answer always gets on.
 * Subjects count, everything else is small.
 */
export function fitting(messages: readonly SentMessage[], maxBytes: number): readonly Mail[] {
  const shown: Mail[] = [];
  let left = maxBytes;
  for (const message of messages) {
    const room = left - Buffer.byteLength(message.subject);
    const bodyBytes = Buffer.byteLength(message.body);
    if (bodyBytes <= room) shown.push(viewMail(message));
    else if (shown.length === 0) return [{ ...viewMail(message), body: cut(message.body, room), truncated: true }];
    else break;
    left = room - bodyBytes;
  }
  return shown;
}

/** The longest beginning of at most that many bytes that splits no character. */
export function cut(text: string, maxBytes: number): string {
  if (maxBytes <= 0) return "";
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const bytes = Buffer.from(text);
  let end = maxBytes;
  while (end > 0 && (bytes[end]! & 0b1100_0000) === 0b1000_0000) end--;
  return bytes.toString("utf8", 0, end);
}
