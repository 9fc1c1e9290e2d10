/**
 * An agent chooses who may write to it. Asked for direct messages in words; what coordination itself needs (release requests and their
 * answers, notices) always arrives: an agent stays reachable about what it holds.
 *
 *   open      everyone of the project
 *   auto      contacts, those the receiver has written to, and those who answer in a thread it takes part in
 *   contacts  the receiver's list
 *   none      no agent
 */
import { DomainError, type AgentRef, type MessageId } from "../../contract/index.ts";
import type { MailTx } from "./ports.ts";

export async function refuseUnwanted(
  sender: AgentRef,
  receiver: AgentRef,
  thread: MessageId | undefined,
  tx: MailTx,
): Promise<void> {
  if (sender.id === receiver.id || (await mayWrite(sender, receiver, thread, tx))) return;
  throw new DomainError(
    "caller.denied",
    `${receiver.name} takes messages only from agents it knows; write to a topic or to everyone instead`,
    { details: { needed: `to be a contact of ${receiver.name}` } },
  );
}

async function mayWrite(
  sender: AgentRef,
  receiver: AgentRef,
  thread: MessageId | undefined,
  { mail }: MailTx,
): Promise<boolean> {
  const { policy } = await mail.mailbox(receiver.id);
  if (policy === "open" || policy === "none") return policy === "open";
  if ((await mail.contacts(receiver.id)).some(({ id }) => id === sender.id)) return true;
  if (policy === "contacts") return false;
  if (await mail.hasWritten(receiver.id, sender.id)) return true;
  return thread !== undefined && (await mail.participants(thread)).includes(receiver.id);
}
