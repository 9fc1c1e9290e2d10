/** One message that the caller may read: its sender and its receivers in any project, and for topics and everyone the whole project. */
import { DomainError, type Caller, type MessageId } from "../../contract/index.ts";
import type { MailRepository, SentMessage } from "./store.ts";

export async function findMessage(
  id: MessageId,
  caller: Caller,
  { mail }: { readonly mail: MailRepository },
): Promise<SentMessage> {
  const message = await mail.find(id);
  if (message === undefined)
    throw new DomainError("message.not-found", `There is no message ${id}; "sylk mail search" finds messages`, {
      details: { id },
    });
  if (caller.kind === "agent" && !mayRead(message, caller))
    throw new DomainError("caller.denied", `${id} is between other agents`, {
      details: { needed: "the token of its sender or of a receiver" },
    });
  return message;
}

function mayRead({ project, audience, from, to }: SentMessage, caller: Caller & { readonly kind: "agent" }): boolean {
  if ([from, ...to].some(({ id }) => id === caller.agent.id)) return true;
  return audience !== "agents" && project === caller.project.id;
}
