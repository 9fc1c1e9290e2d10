/** Acknowledgements: given once by each receiver who was asked; those that are missing after their time are listed. */
import {
  DomainError,
  mail as contract,
  type Caller,
  type InputOf,
  type MessageId,
  type OutputOf,
} from "../../contract/index.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import { requireLiveAgent } from "../registry/index.ts";
import { viewParty } from "./mail-view.ts";
import { findMessage } from "./find-message.ts";
import type { MailPorts, MailRepositories } from "./ports.ts";
import { viewerOf } from "./search-mail.ts";

export function ackMail(
  id: MessageId,
  { caller, transact }: AgentCall<MailRepositories>,
  { clock }: Pick<MailPorts, "clock">,
): Promise<OutputOf<"mail.ack">> {
  return transact(caller.project.id, async (tx) => {
    await requireLiveAgent(caller, tx);
    const { sequence } = await findMessage(id, caller, tx);
    const mine = (await tx.mail.receivers(sequence)).find(({ agent }) => agent.id === caller.agent.id);
    if (mine === undefined)
      throw new DomainError(
        "caller.denied",
        `${id} was not sent to ${caller.agent.name} by name, so it needs no acknowledgement`,
        {
          details: { needed: "to be one of its receivers" },
        },
      );
    if (mine.ackedAt !== undefined) return { id, ackedAt: mine.ackedAt };
    const ackedAt = clock.now();
    await tx.mail.setAcked(sequence, caller.agent.id, ackedAt);
    await tx.events.append(caller.project.id, contract.MailAcked.of(id, { message: id, agent: caller.agent }));
    return { id, ackedAt };
  });
}

/** To an agent: what it owes and what it waits for; to the user: all of the project. */
export async function overdueAcks(
  { limit }: InputOf<"mail.overdue">,
  caller: Caller,
  { store, clock }: Pick<MailPorts, "store" | "clock">,
): Promise<OutputOf<"mail.overdue">> {
  const found = await store.reader.mail.overdue(viewerOf(caller), clock.now(), limit);
  const items = found.map(({ from, waitingFor, ...ack }) => {
    const crosses = caller.project === undefined || from.home?.id !== waitingFor.home?.id;
    return { ...ack, from: viewParty(from, crosses), waitingFor: viewParty(waitingFor, crosses) };
  });
  return { items };
}
