/** The last step of every message: cleaned of control characters, stored in order, told to the log of each project that has a part in it. */
import { mail as contract, type MailChannel, type MailKind } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import { plainText } from "../../platform/untrusted-text.ts";
import { viewParty } from "./mail-view.ts";
import type { MailTx } from "./ports.ts";
import type { MessageRecord } from "./store.ts";

/** Requests want an answer; notices only tell. */
const channels: Readonly<Record<MailKind, MailChannel>> = {
  text: "requests",
  "release-request": "requests",
  "release-ack": "requests",
  "release-defer": "requests",
  "commit-notice": "notices",
  "release-notice": "notices",
  "expiry-notice": "notices",
  handoff: "notices",
  finding: "notices",
};

export type Draft = Omit<MessageRecord, "channel">;

export async function postMessage(draft: Draft, tx: Pick<MailTx, "mail" | "events">): Promise<MessageRecord> {
  const record: MessageRecord = {
    ...draft,
    channel: channels[draft.content.kind],
    subject: plainText(draft.subject).replaceAll(/\s+/g, " ").trim(),
    body: plainText(draft.body),
  };
  await tx.mail.insert(record);
  const { id, topic, channel, importance, thread, audience, to, content } = record;
  const from = viewParty(record.from, false);
  const homes = new Set([record.project, ...[record.from, ...to].flatMap(({ home }) => (home ? [home.id] : []))]);
  const sent = contract.MailSent.of(id, {
    message: {
      id,
      from,
      channel,
      importance,
      thread,
      kind: content.kind,
      ...(audience === "agents" ? { to: to.map((agent) => agent.id) } : {}),
      ...(audience === "everyone" ? { everyone: true } : {}),
      ...defined({ topic }),
    },
  });
  for (const home of homes) await tx.events.append(home, sent);
  return record;
}

export function isRequestInWords(kind: MailKind): boolean {
  return kind === "text";
}
