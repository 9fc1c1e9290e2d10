/** The Archivalist: keeps the past. It stores what it is asked to, in the run's own transaction of record. */
import type { HistoryEntry } from "../../contract/index.ts";
import type { RoleHandler } from "../../orchestration/guide/index.ts";
import type { RunContext } from "../../orchestration/runs/index.ts";

export function createArchivalist({ work, clock, record }: Pick<RunContext, "work" | "clock" | "record">): RoleHandler {
  return async ({ payload }) => {
    const { title, content } = payload as Pick<HistoryEntry, "title" | "content">;
    await record({
      kind: "archive",
      entry: { id: work.run.id, session: work.run.session, category: "workflow", title, content, at: clock.now() },
    });
    return { type: "ACK", payload: { kept: work.run.id } };
  };
}
