/** The last step of every message: cleaned of control characters, stored in order, told to the log. */
import { mail as contract, type MailChannel, type MailKind } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import { plainText } from "../../platform/untrusted-text.ts";
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
  const { id, from, topic, channel, importance, thread, audience, to, content } = record;
  await tx.events.append(
    record.project,
    contract.MailSent.of(id, {
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
    }),
  );
  return record;
}

export function isRequestInWords(kind: MailKind): boolean {
  return kind === "text";
}
