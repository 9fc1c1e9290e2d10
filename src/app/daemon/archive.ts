/** Connects the archive: the sessions that callers act in, and its limits. */
import type { ArchiveSession, SessionId } from "../../contract/index.ts";
import { historyHandlers } from "../../knowledge/archive/index.ts";
import { questionSessions } from "../../orchestration/ask/index.ts";
import type { Guide } from "../../orchestration/guide/index.ts";
import type { OperationHandlers, OperationsOn } from "../../platform/operations/index.ts";
import type { DaemonParts, DaemonTerms, Repositories } from "./parts.ts";

export function composeArchive(parts: DaemonParts, { settings }: DaemonTerms, guide: Guide) {
  const { reader } = parts.store;
  const ports = {
    ...parts,
    currentSession: questionSessions(guide, reader).ofCaller,
    projectOf: async (session: ArchiveSession) =>
      (await reader.sessions.find(session as SessionId))?.project ?? (await reader.archive.projectOf(session)),
    maxTokens: settings["archive.sessionTokens"],
  };
  const handlers: OperationHandlers<Repositories, OperationsOn<"history">> = historyHandlers(ports);
  return { handlers };
}
