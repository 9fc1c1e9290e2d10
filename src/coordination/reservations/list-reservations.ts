/** Live reservations, or those that cover one path, with the liveness of their holders. */
import type { Caller, InputOf, OutputOf } from "../../contract/index.ts";
import { viewHolder } from "../registry/index.ts";
import { overlap } from "../globs/index.ts";
import { compileInput, compileStored, type Named } from "./covered-paths.ts";
import { findOverlaps } from "./find-overlaps.ts";
import { nameInput } from "./name-input.ts";
import type { ReservationPorts } from "./ports.ts";
import { viewReservation } from "./reservation-view.ts";
import type { ReservationRecord, ReservationRepository } from "./store.ts";

export async function listReservations(
  { path, cursor, limit }: InputOf<"reservation.list">,
  caller: Caller,
  { store, leases, liveness, resolveName }: ReservationPorts,
): Promise<OutputOf<"reservation.list">> {
  const { reservations, agents } = store.reader;
  const project = caller.project?.id;
  const found =
    path === undefined
      ? await reservations.live(project)
      : await covering(nameInput({ paths: [path], patterns: [] }, treeOf(caller), resolveName), caller, reservations);
  const live = found.filter((record) => leases.isLive(record) && (cursor === undefined || record.id > cursor));
  const page = live.slice(0, limit);
  const items = await Promise.all(
    page.map(async (record) => {
      const holder = await agents.find(record.holder.id);
      return { ...viewReservation(record, leases), holder: viewHolder(holder!, liveness), project: record.project };
    }),
  );
  return live.length > limit ? { items, nextCursor: page.at(-1)!.id } : { items };
}

async function covering(
  named: Named,
  caller: Caller,
  reservations: ReservationRepository,
): Promise<readonly ReservationRecord[]> {
  const project = caller.project?.id;
  const wanted = compileInput(named, treeOf(caller) ?? "");
  if (project === undefined) {
    const all = await reservations.live(undefined);
    return all.filter((record) => {
      const here = compileInput(named, record.tree);
      return compileStored(record).some((held) => here.some((one) => overlap(held, one) !== undefined));
    });
  }
  const found: ReservationRecord[] = [];
  for await (const { record } of findOverlaps(project, wanted, reservations)) found.push(record);
  return found.sort((a, b) => (a.id < b.id ? -1 : 1));
}

function treeOf(caller: Caller): string | undefined {
  return caller.kind === "agent" ? caller.tree : undefined;
}
