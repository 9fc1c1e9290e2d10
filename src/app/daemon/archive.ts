/** Connects the archive: the sessions that callers act in, what sessions do, and its limits. */
import { recordConsultations } from "../../agents/archivalist/index.ts";
import type { ArchiveSession, LogEvent, SessionId } from "../../contract/index.ts";
import type { GuardPorts } from "../../coordination/guard/index.ts";
import {
  briefingFor,
  chosenOr,
  createQueryCounts,
  followPreferences,
  followSessions,
  hashingVectors,
  historyHandlers,
  keepSteps,
} from "../../knowledge/archive/index.ts";
import { questionSessions } from "../../orchestration/ask/index.ts";
import type { Guide } from "../../orchestration/guide/index.ts";
import type { OperationHandlers, OperationsOn } from "../../platform/operations/index.ts";
import { untrusted } from "../../platform/untrusted-text.ts";
import type { DaemonParts, DaemonTerms, Repositories } from "./parts.ts";

export function composeArchive(parts: DaemonParts, { settings, log, redactor }: DaemonTerms, guide: Guide) {
  const { store, archiving, clock, ids, bus } = parts;
  const { reader } = store;
  const onFailed = (error: unknown) => log.warn("archive.not-recorded", { error });
  const counts = createQueryCounts(store, { now: clock.now, onFailed });
  archiving.hooks.add("post-query", counts.count);
  const currentSession = chosenOr(questionSessions(guide, reader).ofCaller, reader.archive);
  const handlers: OperationHandlers<Repositories, OperationsOn<"history">> = historyHandlers({
    ...parts,
    ...archiving,
    counts,
    currentSession,
    projectOf: async (session: ArchiveSession) =>
      (await reader.sessions.find(session as SessionId))?.project ?? (await reader.archive.projectOf(session)),
    maxTokens: settings["archive.sessionTokens"],
    ...(settings["archive.similarity"] === "vectors" ? { embedder: hashingVectors } : {}),
  });
  const following = {
    subscribe: (type: string, handle: (event: LogEvent) => void) => bus.subscribe(`event.${type}`, handle),
    onFailed,
  };
  const life = followSessions(following);
  const unfollow = followPreferences({ store, ...following });
  life.add(keepSteps(store, ids));
  recordConsultations(guide, { ...parts, clean: redactor.value });
  return {
    handlers,
    currentSession,
    async close(): Promise<void> {
      unfollow();
      life.stop();
      await life.settled();
      await counts.flush(clock.now()).catch(onFailed);
    },
  };
}

/** Fenced: the texts of entries were written by models and strangers. */
export function briefAtStart({ store }: DaemonParts, { settings }: DaemonTerms): GuardPorts["brief"] {
  const tier = settings["archive.briefAtStart"];
  if (tier === "off") return undefined;
  return async ({ project }) => {
    const briefing = await briefingFor({ tier }, project.id, store.reader);
    return briefing === undefined ? undefined : untrusted(briefing, "the archive");
  };
}
