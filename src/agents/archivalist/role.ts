/** The Archivalist: keeps the past. It stores what it is asked to, in the run's own transaction of record. */
import { answerMessages, type RoleHandler } from "../../orchestration/guide/index.ts";
import type { RunContext } from "../../orchestration/runs/index.ts";

export function createArchivalist({ work, clock, record }: Pick<RunContext, "work" | "clock" | "record">): RoleHandler {
  return answerMessages({
    async STORE_REQUEST({ payload: { title, content } }) {
      await record({
        kind: "archive",
        entry: { id: work.run.id, session: work.run.session, category: "workflow", title, content, at: clock.now() },
      });
      return { type: "ACK", payload: { kept: work.run.id } };
    },
  });
}
