/** The Archivalist's seat in a run: it keeps what it is told to, and answers about the past as it does anywhere else. */
import type { HistoryEntry, RunId } from "../../contract/index.ts";
import type { RoleHandler } from "../../orchestration/guide/index.ts";

type Ports = {
  readonly run: RunId;
  /** Adds what is on record of the run, and keeps it. */
  readonly keep: (entry: Pick<HistoryEntry, "title" | "content">) => Promise<void>;
  readonly recall: RoleHandler;
};

export function archivalistSeat({ run, keep, recall }: Ports): RoleHandler {
  return async (message, signal) => {
    if (message.type !== "STORE_REQUEST") return recall(message, signal);
    await keep(message.payload);
    return { type: "ACK", payload: { kept: run } };
  };
}
