/**
 * Mail at the end of a turn: what others wrote to the agent, and findings about its files, which come as notices; before it
 * what the client could not pass on when it was due.
 *
 *   turn ends -> unread mail as text, so that the model continues with it -> the turn ends again: that was read, no second time
 *
 * Only what was shown counts as read, and only once the client has come back: a lost answer is shown again. A turn that goes
 * on because of us is never kept going by further mail, which waits for the next one.
 */
import { untrusted } from "../../platform/untrusted-text.ts";
import type { AgentCaller, AgentId, Dispatch, Mail, MailChannel } from "../../contract/index.ts";

export type Deliveries = {
  /** Takes out what was shown to the agent last, for it to be marked as read. */
  takeShown(agent: AgentId, channel: MailChannel): string | undefined;
  show(agent: AgentId, channel: MailChannel, cursor: string): void;
  /** For the next end of a turn: what could not be said when it was due. */
  keep(agent: AgentId, text: string): void;
  takeKept(agent: AgentId): readonly string[];
};

const mostKept = 10_000;
const mostMessages = 10;
const mostBytes = 4_096;
const mostNews = 5;

export function createDeliveries(): Deliveries {
  const shown = new Map<string, string>();
  const kept = new Map<AgentId, readonly string[]>();
  const keyOf = (agent: AgentId, channel: MailChannel): string => `${channel} ${agent}`;
  return {
    takeShown(agent, channel) {
      const cursor = shown.get(keyOf(agent, channel));
      shown.delete(keyOf(agent, channel));
      return cursor;
    },
    show(agent, channel, cursor) {
      if (shown.size >= mostKept) shown.delete(shown.keys().next().value!);
      shown.set(keyOf(agent, channel), cursor);
    },
    keep(agent, text) {
      if (kept.size >= mostKept) kept.delete(kept.keys().next().value!);
      kept.set(agent, [...(kept.get(agent) ?? []), text].slice(-mostNews));
    },
    takeKept(agent) {
      const news = kept.get(agent) ?? [];
      kept.delete(agent);
      return news;
    },
  };
}

type Ports = { readonly dispatch: Dispatch; readonly deliveries: Deliveries };

/** The text for the model; undefined where nothing is new, and where the turn went on because of us already. */
export async function deliverMail(caller: AgentCaller, again: boolean, ports: Ports): Promise<string | undefined> {
  const { dispatch, deliveries } = ports;
  const { id } = caller.agent;
  const lines: string[] = [];
  for (const channel of ["requests", "notices"] as const) {
    const shown = deliveries.takeShown(id, channel);
    const read = again && shown !== undefined ? { upTo: shown } : {};
    const input = { channel, limit: mostMessages, maxBytes: mostBytes, ...read };
    const { items, cursor, more } = await dispatch("mail.inbox", input, caller);
    if (again || items.length === 0) continue;
    if (cursor !== undefined) deliveries.show(id, channel, cursor);
    lines.push(...items.map(lineOf), ...(more ? [`- more ${channel}: "sylk mail inbox --channel ${channel}"`] : []));
  }
  const news = again ? [] : deliveries.takeKept(id);
  const mail = lines.length === 0 ? [] : [`Sylk: mail for ${caller.agent.name}:\n${lines.join("\n")}`];
  return news.length + mail.length === 0 ? undefined : [...news, ...mail].join("\n");
}

function lineOf({ id, from, content, subject, body, ackDueAt }: Mail): string {
  const kind = content.kind === "text" ? "" : `, ${content.kind}`;
  const asks = ackDueAt === undefined ? "" : ", asks for an acknowledgement";
  return `- ${id}${kind}${asks}: ${untrusted(body === "" ? subject : `${subject}\n${body}`, from.name)}`;
}
