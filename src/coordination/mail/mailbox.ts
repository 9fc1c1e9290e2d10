/** An agent's own mailbox: topics it receives, who may write to it, how much is unread. */
import {
  type AgentCaller,
  type AgentId,
  type InputOf,
  invalidInput,
  mail as contract,
  type OutputOf,
  type Pending,
  type ProjectId,
} from "../../contract/index.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import { requireLiveAgent } from "../registry/index.ts";
import { findReceivers } from "./find-receivers.ts";
import type { MailPorts, MailRepositories, MailTx } from "./ports.ts";

const mostTopics = 50;
const mostCounted = 100;

export function subscribeToTopic(
  { topic, off }: InputOf<"mail.subscribe">,
  { caller, transact }: AgentCall<MailRepositories>,
): Promise<OutputOf<"mail.subscribe">> {
  return transact(caller.project.id, async (tx) => {
    await requireLiveAgent(caller, tx);
    const before = await tx.mail.topics(caller.agent.id);
    if (before.includes(topic) !== off) return { topics: [...before] };
    if (!off && before.length >= mostTopics)
      throw invalidInput("topic", `at most ${mostTopics} topics`, {
        sentence: `topic: ${caller.agent.name} receives ${mostTopics} topics already; leave one first`,
      });
    await (off ? tx.mail.unsubscribe(caller.agent.id, topic) : tx.mail.subscribe(caller.agent.id, topic));
    return { topics: [...(await recordMailboxChange(caller, tx)).topics] };
  });
}

export function setContactPolicy(
  { policy, add = [], remove = [] }: InputOf<"mail.policy">,
  { caller, transact }: AgentCall<MailRepositories>,
): Promise<OutputOf<"mail.policy">> {
  const { id } = caller.agent;
  return transact(caller.project.id, async (tx) => {
    await requireLiveAgent(caller, tx);
    const [added, removed] = [
      await findReceivers(add, caller.project, tx),
      await findReceivers(remove, caller.project, tx),
    ];
    if (policy !== undefined) await tx.mail.setPolicy(id, policy);
    for (const contact of added) await tx.mail.addContact(id, contact.id);
    for (const contact of removed) await tx.mail.removeContact(id, contact.id);
    const changed = policy !== undefined || add.length + remove.length > 0;
    const now = changed ? (await recordMailboxChange(caller, tx)).policy : (await tx.mail.mailbox(id)).policy;
    return { policy: now, contacts: [...(await tx.mail.contacts(id))] };
  });
}

async function recordMailboxChange({ agent, project }: AgentCaller, tx: MailTx) {
  const [{ policy }, topics] = [await tx.mail.mailbox(agent.id), await tx.mail.topics(agent.id)];
  await tx.events.append(project.id, contract.MailboxChanged.of(agent.id, { agent, policy, topics: [...topics] }));
  return { policy, topics };
}

/** Counts the mail, notices and findings that wait for an agent; hooks ask at every tool call, so each count comes from an index. */
export async function pendingFor(
  agent: AgentId,
  project: ProjectId,
  { store }: Pick<MailPorts, "store">,
): Promise<Pending> {
  const { requests, notices, urgentFindings } = await store.reader.mail.countUnread({
    agent,
    project,
    most: mostCounted,
  });
  return { mail: requests, notices, blockingFindings: urgentFindings };
}
