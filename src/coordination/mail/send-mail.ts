/**
 * Sending: who receives it, whether they want it, whether it is not too much; then one transaction stores it for all.
 *
 *   input -> thread (replyTo) -> audience -> contact policy -> rate limits -> postMessage
 */
import {
  type AgentCaller,
  DomainError,
  type InputOf,
  invalidInput,
  type OutputOf,
  type Project,
} from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import { plainText } from "../../platform/untrusted-text.ts";
import { findProject, possiblePaths, requireLiveAgent, type AgentRecord } from "../registry/index.ts";
import { refuseUnwanted } from "./contact-policy.ts";
import { findMessage } from "./find-message.ts";
import { findReceivers } from "./find-receivers.ts";
import { partyOf, viewMail } from "./mail-view.ts";
import type { MailPorts, MailRepositories, MailSettings, MailTx } from "./ports.ts";
import { isRequestInWords, postMessage } from "./post-message.ts";
import type { MessageRecord, SentMessage } from "./store.ts";

type Wanted = InputOf<"mail.send">;
type Audience = Pick<MessageRecord, "audience" | "topic" | "project"> & { readonly receivers: readonly AgentRecord[] };

export async function sendMail(
  wanted: Wanted,
  { caller, transact }: AgentCall<MailRepositories>,
  ports: MailPorts,
): Promise<OutputOf<"mail.send">> {
  refuseUnclear(wanted);
  if (plainText(wanted.subject).trim() === "") throw invalidInput("subject", "has no printable character");
  const settings = await ports.settingsFor(caller.tree);
  const paths = wanted.project === undefined ? [] : await possiblePaths(wanted.project);
  return transact(caller.project.id, async (tx) => {
    await requireLiveAgent(caller, tx);
    const answered = wanted.replyTo && (await findMessage(wanted.replyTo, caller, tx));
    const place = wanted.project === undefined ? caller.project : await findProject(wanted.project, paths, tx.projects);
    const { receivers, project, ...audience } = await audienceOf(wanted, answered, place, caller, tx);
    if (isRequestInWords(wanted.content.kind))
      for (const receiver of receivers) await refuseUnwanted(caller.agent, receiver, answered?.thread, tx);
    refuseFlood(caller, receivers, settings, ports);
    const id = ports.ids.next("msg");
    const now = ports.clock.now();
    const message = await postMessage(
      {
        ...audience,
        id,
        project,
        from: partyOf({ ...caller.agent, project: caller.project }),
        to: receivers.map(partyOf),
        content: wanted.content,
        subject: wanted.subject,
        body: wanted.body,
        importance: wanted.importance,
        thread: answered?.thread ?? id,
        ...(answered === undefined ? {} : { replyTo: answered.id }),
        ...(wanted.ackRequired ? { ackDueAt: now + wanted.ackWithinMs } : {}),
        sentAt: now,
      },
      tx,
    );
    return { message: viewMail(message) };
  });
}

function refuseUnclear({ to, topic, everyone, replyTo, ackRequired }: Wanted): void {
  const named = [to, topic, everyone || undefined].filter((field) => field !== undefined).length;
  if (named > 1) throw invalidInput("to", "name agents, a topic or everyone, not several of these");
  if (named === 0 && replyTo === undefined) throw invalidInput("to", "name agents (to), a topic or everyone");
  if (ackRequired && (topic !== undefined || everyone === true))
    throw invalidInput("ackRequired", "only named agents can be asked to acknowledge");
}

/**
 * An answer without receivers goes where the message came from: to its sender, its topic or everyone. A direct message is
 * kept with its sender's project, one to many with theirs.
 */
async function audienceOf(
  { to, topic, everyone, ackRequired }: Wanted,
  answered: SentMessage | undefined,
  place: Project,
  caller: AgentCaller,
  tx: MailTx,
): Promise<Audience> {
  const direct = async (names: readonly string[]): Promise<Audience> => ({
    audience: "agents",
    project: caller.project.id,
    receivers: await findReceivers(names, place, tx),
  });
  if (to !== undefined) return direct(to);
  if (topic !== undefined) return { audience: "topic", topic, project: place.id, receivers: [] };
  if (everyone === true) return { audience: "everyone", project: place.id, receivers: [] };
  if (answered!.audience === "agents" || ackRequired) return direct([answered!.from.id]);
  const { audience, topic: sameTopic, project } = answered!;
  return { audience, ...defined({ topic: sameTopic }), project, receivers: [] };
}

function refuseFlood(
  { agent }: AgentCaller,
  receivers: readonly AgentRecord[],
  { maxPerMinute, maxPerPairPerMinute }: MailSettings,
  { rates }: MailPorts,
): void {
  const refused = rates.take([
    { key: agent.id, most: maxPerMinute },
    ...receivers.map(({ id }) => ({ key: `${agent.id} ${id}`, most: maxPerPairPerMinute })),
  ]);
  if (refused === undefined) return;
  const { key, most, used, retryAfterMs } = refused;
  const pair = key === agent.id ? "" : ` to ${receivers.find(({ id }) => key.endsWith(id))!.name}`;
  throw new DomainError(
    "mail.limit",
    `${agent.name} has sent ${used} of ${most} messages a minute${pair}; wait for ${Math.ceil(retryAfterMs / 1000)} s more, or say it in one message`,
    { details: { limit: most, used }, retryAfterMs },
  );
}
