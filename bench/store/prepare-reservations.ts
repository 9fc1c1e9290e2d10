/**
 * Fills a prepared store with live reservations, written directly as the reservations folder would write them: files all
 * over a tree of folders, and for every tenth a glob over one folder. No two of them overlap.
 */
import { join } from "node:path";
import Database from "better-sqlite3";
import type { ProjectId } from "../../src/contract/index.ts";
import { systemClock } from "../../src/platform/clock/index.ts";
import { randomIds } from "../../src/platform/ids/index.ts";
import { readFleet } from "./fleet.ts";

type Plan = { readonly home: string; readonly fleet: string; readonly reservations: number };

export const heldFile = (index: number): string => `src/area${index % 50}/part${index % 1_000}/file${index}.ts`;
export const heldFolder = (index: number): string => `docs/area${index % 50}/topic${index}`;
export const isGlob = (index: number): boolean => index % 10 === 0;

export async function prepareReservations({ home, fleet, reservations }: Plan): Promise<void> {
  const store = new Database(join(home, "sylk.db"));
  store.pragma("synchronous = OFF");
  const clock = systemClock();
  const ids = randomIds(clock);
  const { agents } = readFleet(fleet);
  const of = store.prepare("SELECT project, tree FROM agents WHERE id = ?");
  const { project, tree } = of.get(agents[0]!.id) as { project: ProjectId; tree: string };
  const insert = store.prepare(
    `INSERT INTO reservations (id, project, tree, scope, holder, mode, paths, patterns, ttl_ms, fencing_token, tokens, acquired_at)
     VALUES (@id, @project, @tree, 'tree', @holder, 'exclusive', @paths, @patterns, 1800000, @token, @tokens, @now)`,
  );
  const place = store.prepare(
    "INSERT INTO reservation_places (project, place, kind, source, reservation) VALUES (?, ?, ?, ?, ?)",
  );
  store.transaction(() => {
    for (let index = 0; index < reservations; index++) {
      const glob = isGlob(index);
      const source = glob ? `${heldFolder(index)}/**/*.md` : heldFile(index);
      const id = ids.next("rsv");
      const holder = agents[1 + (index % (agents.length - 1))]!.id; // the first agent holds nothing
      const [paths, patterns] = glob ? ["[]", JSON.stringify([source])] : [JSON.stringify([source]), "[]"];
      insert.run({
        id,
        project,
        tree,
        holder,
        paths,
        patterns,
        token: index + 1,
        tokens: JSON.stringify([[index + 1, glob ? 0 : 1, glob ? 1 : 0]]),
        now: clock.now(),
      });
      place.run(project, glob ? heldFolder(index) : source, glob ? "glob" : "path", source, id);
    }
    store.prepare("INSERT OR REPLACE INTO fencing_tokens (project, last) VALUES (?, ?)").run(project, reservations);
  })();
  store.pragma("wal_checkpoint(TRUNCATE)");
  store.close();
}
