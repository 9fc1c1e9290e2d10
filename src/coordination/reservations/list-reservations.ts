/** Live reservations, or those that cover one path, with the liveness of their holders. */
import type { Caller, InputOf, OutputOf } from "../../contract/index.ts";
import { viewHolder } from "../registry/index.ts";
import { compileInput, compileStored, firstOverlap } from "./covered-paths.ts";
import type { ReservationPorts } from "./ports.ts";
import { viewReservation } from "./reservation-view.ts";

export async function listReservations(
  { path, cursor, limit }: InputOf<"reservation.list">,
  caller: Caller,
  { store, leases, liveness }: ReservationPorts,
): Promise<OutputOf<"reservation.list">> {
  const wanted = path === undefined ? undefined : compileInput({ paths: [path], patterns: [] });
  const after = cursor;
  const live = (await store.reader.reservations.live(caller.project?.id)).filter(
    (record) =>
      leases.isLive(record.id, record.ttlMs) &&
      (after === undefined || record.id > after) &&
      (wanted === undefined || firstOverlap(compileStored(record), wanted) !== undefined),
  );
  const page = live.slice(0, limit);
  const items = await Promise.all(
    page.map(async (record) => {
      const holder = await store.reader.agents.find(record.holder.id);
      return { ...viewReservation(record, leases), holder: viewHolder(holder!, liveness) };
    }),
  );
  return live.length > limit ? { items, nextCursor: page.at(-1)!.id } : { items };
}
