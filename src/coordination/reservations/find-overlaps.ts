/**
 * Which live reservations share a path with what is wanted: candidates by their place, each decided by the matcher.
 * The cost follows the candidates at and around the wanted places, not the number of reservations.
 */
import type { ProjectId } from "../../contract/index.ts";
import { overlap } from "../globs/index.ts";
import { compilePlace, type CoveredPaths } from "./covered-paths.ts";
import { placeOf, placesAbove, type Place } from "./places.ts";
import type { Near, NearPage, ReservationRecord, ReservationRepository } from "./store.ts";

export type Overlap = { readonly record: ReservationRecord; readonly witness: string };

const pageSize = 50;

export async function* findOverlaps(
  project: ProjectId,
  covered: CoveredPaths,
  reservations: ReservationRepository,
): AsyncGenerator<Overlap> {
  const seen = new Set<string>();
  for (const wanted of covered) {
    for await (const { record, ...place } of candidates(project, placeOf(wanted), reservations)) {
      if (seen.has(record.id)) continue;
      const witness = overlap(compilePlace(place), wanted);
      if (witness === undefined) continue;
      seen.add(record.id);
      yield { record, witness };
    }
  }
}

async function* candidates(
  project: ProjectId,
  wanted: Place,
  reservations: ReservationRepository,
): AsyncGenerator<Near> {
  for (const place of placesAbove(wanted)) yield* pages((page) => reservations.at(project, place, page));
  if (wanted.kind === "glob") yield* pages((page) => reservations.below(project, wanted.place, page));
}

async function* pages(read: (page: NearPage) => Promise<readonly Near[]>): AsyncGenerator<Near> {
  for (let after: Near | undefined; ;) {
    const page = await read({ after, limit: pageSize });
    yield* page;
    if (page.length < pageSize) return;
    after = page.at(-1);
  }
}
