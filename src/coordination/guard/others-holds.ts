/** Paths that other live agents hold in a working tree; holds of the same client session do not count. */
import type { AgentCaller, DomainError, OutputOf } from "../../contract/index.ts";
import { checkObserved, heldBy, type ReservationPorts } from "../reservations/index.ts";
import { isSameFamily } from "./family.ts";

type Item = OutputOf<"reservation.check">["items"][number];
export type OthersHolds = {
  readonly taken: readonly Item[];
  readonly shared: readonly Item[];
  /** The refusal for the first taken path: its holder and for how long. */
  readonly cause: DomainError | undefined;
};

export async function othersHolds(
  paths: readonly string[],
  fencingToken: number | undefined,
  caller: AgentCaller,
  ports: ReservationPorts,
): Promise<OthersHolds> {
  const { agents, reservations } = ports.store.reader;
  const { items } = await checkObserved({ paths: [...paths], fencingToken }, caller, ports);
  const taken: Item[] = [];
  for (const item of items)
    if (item.state === "taken" && !(await isSameFamily(item.holder!.id, caller.agent.id, agents))) taken.push(item);
  const [first] = taken;
  const record = first && (await reservations.find(first.reservation!));
  return {
    taken,
    shared: items.filter(({ state }) => state === "shared"),
    cause: record && (await heldBy({ record, witness: first.path }, ports.store.reader, ports)),
  };
}
