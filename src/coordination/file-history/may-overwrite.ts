/**
 * Who may put a version back into a file that another agent holds: a person, and the agent that wrote what is there now, since it
 * only takes its own write back. All others wait for the holder, as for any write.
 */
import type { AgentCaller, AgentRef, DomainError } from "../../contract/index.ts";
import { ancestorsOf } from "../guard/index.ts";
import { checkObserved, heldBy, type ReservationPorts } from "../reservations/index.ts";
import type { VersionRecord } from "./store.ts";

/** `holder`: another agent to tell; `refusal`: why it may not be written. */
export type Standing = { readonly holder?: AgentRef; readonly refusal?: DomainError };

export async function mayOverwrite(
  path: string,
  present: VersionRecord | undefined,
  caller: AgentCaller,
  ports: ReservationPorts,
): Promise<Standing> {
  const [item] = (await checkObserved({ paths: [path] }, caller, ports)).items;
  if (item?.holder === undefined || item.reservation === undefined) return {};
  const { id, name, client } = item.holder;
  const above = await ancestorsOf(caller.agent.id, ports.store.reader.agents);
  if (above.includes(id)) return {};
  const holder = { id, name, client };
  if (caller.agent.client === "human" || present?.author?.id === caller.agent.id) return { holder };
  const record = await ports.store.reader.reservations.find(item.reservation);
  if (record === undefined) return { holder };
  return { holder, refusal: await heldBy({ record, witness: path }, ports.store.reader, ports) };
}
