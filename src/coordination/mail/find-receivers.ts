/** Names and ids -> agents of the sender's own project, also those who are away; unknown ones are refused with the nearest name. */
import { AgentId, DomainError, type AgentCaller } from "../../contract/index.ts";
import { suggestion } from "../../platform/nearest-name.ts";
import type { AgentRecord, AgentRepository } from "../registry/index.ts";

type Tx = { readonly agents: AgentRepository };

export async function findReceivers(
  wanted: readonly string[],
  caller: AgentCaller,
  tx: Tx,
): Promise<readonly AgentRecord[]> {
  const found = new Map<string, AgentRecord>();
  for (const text of wanted) {
    const record = await findReceiver(text, caller, tx);
    found.set(record.id, record);
  }
  return [...found.values()];
}

async function findReceiver(text: string, { project }: AgentCaller, { agents }: Tx): Promise<AgentRecord> {
  const id = AgentId.safeParse(text);
  const record = id.success ? await agents.find(id.data) : await agents.findByName(project.id, text);
  if (record === undefined) {
    const names = (await agents.list({ project: project.id, includeGone: true })).map(({ name }) => name);
    throw new DomainError(
      "agent.not-found",
      `There is no agent "${text}" in ${project.name}; "sylk who" lists the live ones${suggestion(text, names)}`,
      { details: { id: text } },
    );
  }
  if (record.project.id !== project.id)
    throw new DomainError("caller.denied", `${text} belongs to another project; mail stays inside one`, {
      details: { needed: "an agent of this project" },
    });
  return record;
}
