/** Connects the Guide: the roles that answer in every session, and the model that may choose a role. */
import { openRouter, seatSharedRoles } from "../../agents/shared/answers/index.ts";
import { addQueryHooks } from "../../agents/librarian/index.ts";
import type { createSlashDesk } from "../../agents/roles/index.ts";
import type { SessionId } from "../../contract/index.ts";
import { createRecordedClassifier } from "../../orchestration/ask/index.ts";
import type { PromptPort } from "../../orchestration/executors/index.ts";
import { createGuide } from "../../orchestration/guide/index.ts";
import { defined } from "../../platform/defined.ts";
import type { DaemonParts, DaemonTerms } from "./parts.ts";

/** `contract/session-messages.ts` names this number. */
const keepMessages = 200;

export function composeGuide(
  parts: DaemonParts,
  { clock, log, settings }: DaemonTerms,
  prompts: PromptPort,
  slash: ReturnType<typeof createSlashDesk>,
  shared: Pick<Parameters<typeof seatSharedRoles>[1], "index" | "scanTools" | "academic">,
) {
  const classifier = createRecordedClassifier(settings["guide.classifier"], { ...parts, prompts });
  const guide = createGuide({
    clock,
    ids: parts.ids,
    log,
    record: async () => {},
    focus: parts.store.reader.sessions,
    keepMessages,
    beatMs: settings["workers.beatMs"],
    ...defined({ classifyByModel: classifier?.classify }),
  });
  const takingSlashLines = slash.taking;
  seatSharedRoles(guide, {
    archive: parts.store.reader.archive,
    ...shared,
    takingSlashLines,
  });
  addQueryHooks(guide, log);
  guide.watch("*.errors", ({ session, to, type, error }) => log.info("guide.unanswered", { session, to, type, error }));
  return {
    guide,
    classifier,
    openRouter: (session: SessionId) => openRouter(session, guide, { prompts, takingSlashLines }),
  };
}
