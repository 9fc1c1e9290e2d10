/**
 * Which live reservations share a path with what is wanted: candidates by their place, each decided by the matcher.
 * The cost follows the candidates at and around the wanted places, not the number of reservations.
 */
import type { ProjectId } from "../../contract/index.ts";
import { overlap } from "../path-pattern/index.ts";
import { compilePlace, type CoveredPaths } from "./covered-paths.ts";
import { placeOf } from "./places.ts";
import type { ReservationRecord, ReservationRepository } from "./store.ts";

export type Overlap = { readonly record: ReservationRecord; readonly witness: string };

const pageSize = 500;

export async function* findOverlaps(
  project: ProjectId,
  covered: CoveredPaths,
  reservations: ReservationRepository,
): AsyncGenerator<Overlap> {
  const seen = new Set<string>();
  for (const wanted of covered) {
    const place = placeOf(wanted);
    for (let after = 0; ;) {
      const page = await reservations.near(project, place, { after, limit: pageSize });
      for (const { record, kind, source } of page) {
        if (seen.has(record.id)) continue;
        const witness = overlap(compilePlace({ kind, source }), wanted);
        if (witness === undefined) continue;
        seen.add(record.id);
        yield { record, witness };
      }
      if (page.length < pageSize) break;
      after = page.at(-1)!.position;
    }
  }
}
