/**
 * An agent that was offline is heard of again: it gets back what is still free of what it held, in one transaction,
 * and the event says what it lost to whom. However many calls notice it at once, it comes back once.
 */
import {
  agent as contract,
  DomainError,
  operations,
  parseInput,
  type AgentCaller,
  type AgentId,
  type AgentRef,
  type Belongings,
  type Homecoming,
} from "../../contract/index.ts";
import { refOf, type AgentRecord } from "../registry/index.ts";
import { acquireReservation, type ReservationPorts, type ReservationSettings } from "../reservations/index.ts";
import { claimWorkItem, type WorkItemPorts, type WorkItemSettings } from "../work-items/index.ts";
import type { HandoffPorts, HandoffTx } from "./ports.ts";

type Settings = ReservationSettings & WorkItemSettings;
type Ports = HandoffPorts &
  Omit<ReservationPorts & WorkItemPorts, "store" | "settingsFor"> & {
    readonly settingsFor: (tree: string) => Promise<Settings>;
  };
type Lost = Homecoming["lost"][number];

export function createBringBack(ports: Ports): (agent: AgentId) => Promise<Homecoming | undefined> {
  return async (id) => {
    const record = await ports.store.reader.agents.find(id);
    if (record?.offlineAt === undefined) return undefined;
    // Read before the transaction, which may wait for nothing else. Settings that cannot be read refuse what needs them.
    const settings = ports.settingsFor(record.tree);
    await settings.catch(() => undefined);
    return ports.store.transact(record.project.id, async (tx) => {
      const current = await tx.agents.find(id);
      if (current?.offlineAt === undefined || current.endedAt !== undefined) return undefined;
      const back: AgentRecord = { ...current, offlineAt: undefined };
      await tx.agents.update(back);
      const left = await tx.handoffs.find(id);
      const homecoming = await regain(back, left?.belongings, settings, tx, ports);
      await tx.handoffs.setHomecoming(id, homecoming);
      await tx.events.append(back.project.id, contract.AgentReturned.of(id, { agent: refOf(back), homecoming }));
      return homecoming;
    });
  };
}

async function regain(
  record: AgentRecord,
  belongings: Belongings | undefined,
  settings: Promise<Settings>,
  tx: HandoffTx,
  ports: Ports,
): Promise<Homecoming> {
  const { project, tree } = record;
  const caller: AgentCaller = { kind: "agent", agent: refOf(record), project, tree };
  const call = { caller, transact: <T>(_scope: string, work: (tx: HandoffTx) => Promise<T>) => work(tx) };
  // Its paths were looked at when they were granted; a transaction may not wait for a disk.
  const terms = { ...ports, resolveName: undefined, settingsFor: () => settings };
  const homecoming = { regained: { reservations: [], workItems: [] }, lost: [] } as Homecoming;
  for (const { id: _id, ...held } of belongings?.reservations ?? []) {
    const got = await tx.attempt(async () =>
      acquireReservation(parseInput(operations["reservation.acquire"], held), call, terms),
    );
    if (got.ok) homecoming.regained.reservations.push(got.value.reservation.id);
    else homecoming.lost.push(lost("reservation", [...held.paths, ...held.patterns].join(" "), got.error));
  }
  for (const { id, title } of belongings?.workItems ?? []) {
    const got = await tx.attempt(() => claimWorkItem(id, call, terms));
    if (got.ok) homecoming.regained.workItems.push(id);
    else homecoming.lost.push(lost("work-item", title, got.error));
  }
  return homecoming;
}

/** A refusal names the present holder; any other error ends the return. */
function lost(kind: Lost["kind"], what: string, error: unknown): Lost {
  if (!(error instanceof DomainError && error.isRefusal)) throw error;
  const { holder } = error.details as { holder?: AgentRef };
  return { kind, what, reason: error.message, ...(holder === undefined ? {} : { holder: refOf(holder) }) };
}
