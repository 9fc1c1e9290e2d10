/** Counts queries by session and reach, in memory first: a question does not wait for a write. */
import type { ArchiveSession, ProjectId } from "../../contract/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { QueryReport } from "./archive-hooks.ts";
import type { ArchiveRepository, QueryScope, QueryTally } from "./store.ts";

export type QueryCounts = {
  count(report: QueryReport): void;
  /** What was counted and is not written yet. */
  waiting(project: string | undefined, session: ArchiveSession | undefined): readonly QueryTally[];
  /** Writes what was counted since the last time. */
  flush(now: number): Promise<void>;
};

const mostWaiting = 50;

export function createQueryCounts(
  store: Pick<Store<{ readonly archive: ArchiveRepository }>, "transact">,
  ports: { readonly now: () => number; readonly onFailed: (error: unknown) => void },
): QueryCounts {
  let waiting = new Map<string, QueryTally & { readonly project: ProjectId }>();
  let asked = 0;
  async function flush(now: number): Promise<void> {
    const counted = [...waiting.values()];
    waiting = new Map();
    asked = 0;
    if (counted.length === 0) return;
    await store.transact("archive queries", async (tx) => {
      for (const { project, ...tally } of counted) await tx.archive.addQueries(project, [tally], now);
    });
  }
  return {
    count({ project, own, sessions, found, cached }) {
      if (project === undefined || own === undefined) return;
      const scope = scopeOf(sessions, own);
      const key = `${project} ${own} ${scope}`;
      const known = waiting.get(key) ?? { asked: 0, found: 0, cached: 0 };
      waiting.set(key, {
        project: project as ProjectId,
        session: own,
        scope,
        asked: known.asked + 1,
        found: known.found + found,
        cached: known.cached + Number(cached),
      });
      if (++asked >= mostWaiting) flush(ports.now()).catch(ports.onFailed);
    },
    waiting: (project, session) =>
      [...waiting.values()].filter(
        (row) =>
          (project === undefined || row.project === project) && (session === undefined || row.session === session),
      ),
    flush,
  };
}

function scopeOf(sessions: readonly ArchiveSession[] | undefined, own: ArchiveSession): QueryScope {
  if (sessions === undefined) return "all";
  return sessions.length === 1 && sessions[0] === own ? "session" : "sessions";
}
