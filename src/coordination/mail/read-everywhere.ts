/** The person's unread mail of all projects: the person has one agent in each project where they did something. */
import type { InputOf, OutputOf } from "../../contract/index.ts";
import type { MailPorts } from "./ports.ts";
import { unreadPage } from "./read-inbox.ts";

export async function readEverywhere(
  { channel, limit, maxBytes }: InputOf<"mail.everywhere">,
  { store }: Pick<MailPorts, "store">,
): Promise<OutputOf<"mail.everywhere">> {
  const agents = await store.reader.agents.list({ project: undefined, includeGone: true });
  const items: OutputOf<"mail.everywhere">["items"] = [];
  for (const { id: agent, project } of agents.filter(
    ({ client, endedAt }) => client === "human" && endedAt === undefined,
  )) {
    const page = await unreadPage({ channel, limit, maxBytes, kind: undefined }, { agent, project: project.id }, store);
    if (page.items.length > 0) items.push({ project, ...page });
  }
  return { items: items.sort((a, b) => a.items[0]!.sentAt - b.items[0]!.sentAt) };
}
