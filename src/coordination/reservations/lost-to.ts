/**
 * Fencing for those who carry no token: hooks and git know an agent and a path. An agent that once held the path, and does
 * not now, has lost it to the agent that was granted it since: its knowledge of the file is old.
 */
import type { AgentCaller } from "../../contract/index.ts";
import { overlap, type CompiledPattern } from "../globs/index.ts";
import { compilePath, compileStored } from "./covered-paths.ts";
import type { ReservationPorts } from "./ports.ts";
import { couldBlock } from "./rivals.ts";
import type { ReservationRecord } from "./store.ts";

type Ports = Pick<ReservationPorts, "store" | "leases">;
export type Loss = { readonly path: string; readonly to: ReservationRecord };

/** For each path that was lost, the newest grant of another agent. */
export async function lostTo(paths: readonly string[], caller: AgentCaller, ports: Ports): Promise<readonly Loss[]> {
  const { reservations } = ports.store.reader;
  const own = (await reservations.grantsOf(caller.project.id, caller.agent.id)).filter(
    ({ tree }) => tree === caller.tree,
  );
  const losses: Loss[] = [];
  for (const path of own.length === 0 ? [] : paths) {
    const wanted = compilePath(path, caller.tree);
    const held = own.filter((record) => covers(record, wanted));
    if (held.length === 0 || held.some((record) => record.endedAt === undefined && ports.leases.isLive(record)))
      continue;
    const newest = Math.max(...held.map(({ fencingToken }) => fencingToken));
    const to = (await reservations.grantsAfter(caller.project.id, newest, path)).find(
      (record) => couldBlock(record, { ...caller, mode: "exclusive", scope: "tree" }) && covers(record, wanted),
    );
    if (to !== undefined) losses.push({ path, to });
  }
  return losses;
}

function covers(record: ReservationRecord, wanted: CompiledPattern): boolean {
  return compileStored(record).some((held) => overlap(held, wanted) !== undefined);
}
