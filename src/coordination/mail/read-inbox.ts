/**
 * Reading the inbox: unread mail, oldest first, as much as fits into the answer.
 *
 *   answer 1 {items, cursor} -> lost? ask again: the same items -> upTo = cursor: those are read, the next ones follow
 *
 * The cursor moves forward only and only when told, so nothing is delivered twice to a reader that confirms, and nothing is
 * lost to one that does not. A look at one kind moves nothing: it would leave out what lies between.
 */
import {
  type AgentId,
  type DomainError,
  type InputOf,
  invalidInput,
  mail as contract,
  type MailChannel,
  type OutputOf,
  type ProjectId,
} from "../../contract/index.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import { fitting } from "./mail-view.ts";
import type { MailPorts, MailRepositories } from "./ports.ts";

export async function readInbox(
  { channel, upTo, kind, limit, maxBytes }: InputOf<"mail.inbox">,
  call: AgentCall<MailRepositories>,
  { store }: Pick<MailPorts, "store">,
): Promise<OutputOf<"mail.inbox">> {
  if (upTo !== undefined) await markRead(upTo, channel, call);
  const { agent, project } = call.caller;
  return unreadPage({ channel, kind, limit, maxBytes }, { agent: agent.id, project: project.id }, store);
}

export async function unreadPage(
  { channel, kind, limit, maxBytes }: Omit<InputOf<"mail.inbox">, "upTo">,
  whose: { readonly agent: AgentId; readonly project: ProjectId },
  { reader }: Pick<MailPorts["store"], "reader">,
): Promise<OutputOf<"mail.inbox">> {
  const unread = await reader.mail.unread({ ...whose, channel, kind, limit: limit + 1 });
  const items = fitting(unread.slice(0, limit), maxBytes);
  const last = unread[items.length - 1];
  return {
    items: [...items],
    ...(kind === undefined && last !== undefined ? { cursor: `${channel}.${last.sequence}` } : {}),
    more: unread.length > items.length,
  };
}

function markRead(
  upTo: string,
  channel: MailChannel,
  { caller, transact }: AgentCall<MailRepositories>,
): Promise<void> {
  const { agent, project } = caller;
  const [of, number] = upTo.split(".") as [MailChannel, string];
  const cursor = Number(number);
  if (of !== channel) throw invalidCursor(`belongs to ${of}, not to ${channel}`);
  return transact(project.id, async (tx) => {
    const { cursors } = await tx.mail.mailbox(agent.id);
    if (cursor <= cursors[channel]) return; // told again, after an answer was lost
    if (cursor > (await tx.mail.newestSequence())) throw invalidCursor("lies beyond the newest message");
    await tx.mail.setCursor(agent.id, channel, cursor);
    await tx.events.append(project.id, contract.MailRead.of(agent.id, { agent, channel, upTo: cursor }));
  });
}

function invalidCursor(message: string): DomainError {
  return invalidInput("upTo", message, { sentence: `upTo ${message}; give back the cursor of the last answer` });
}
