/**
 * Who answers questions outside of runs.
 *
 *   in every session   the Librarian from the code, the Academic from sources, the Archivalist from the history
 *   in each session    Architect, Inspector and Tester, by a model
 */
import type { SessionId, SkillRole, ToolScan, ToolScanRequest } from "../../../contract/index.ts";
import type { ArchiveRepository } from "../../../knowledge/archive/index.ts";
import { type CodeIndex, lookInto } from "../../../knowledge/code-index/index.ts";
import { isStanding, placeIn } from "../../../orchestration/ask/index.ts";
import type { PromptPort } from "../../../orchestration/executors/index.ts";
import { type Guide, type RoleHandler, type SessionRouter, standardCards } from "../../../orchestration/guide/index.ts";
import { answerByModel } from "./answer-by-model.ts";
import { answerFromCode } from "./answer-from-code.ts";
import { answerFromHistory } from "./answer-from-history.ts";

type SharedPorts = {
  readonly archive: Pick<ArchiveRepository, "search">;
  readonly index: Pick<CodeIndex, "ask">;
  readonly scanTools: (request: ToolScanRequest) => Promise<ToolScan>;
  readonly academic: RoleHandler;
  readonly takingSlashLines: (role: SkillRole, handler: RoleHandler) => RoleHandler;
};
type ModelPorts = Pick<SharedPorts, "takingSlashLines"> & { readonly prompts: PromptPort };

export function seatSharedRoles(
  guide: Pick<Guide, "registerShared">,
  { archive, index, scanTools, academic, takingSlashLines }: SharedPorts,
): void {
  const librarian = answerFromCode({ lookOf: (message) => lookInto(index, placeIn(message).tree), scanTools });
  guide.registerShared(standardCards.librarian, takingSlashLines("librarian", librarian));
  guide.registerShared(standardCards.academic, takingSlashLines("academic", academic));
  guide.registerShared(
    standardCards.archivalist,
    answerFromHistory({
      async search(message, words, limit) {
        const { project } = placeIn(message);
        // A question that names no session is one about the project.
        const sessions = isStanding(message.session) ? undefined : [message.session];
        const filter = { project, sessions, words, limit };
        return project === undefined ? [] : (await archive.search(filter)).items;
      },
    }),
  );
}

/** The session's router; made with the roles that answer in it where there is none. */
export function openRouter(
  session: SessionId,
  guide: Pick<Guide, "get" | "open">,
  { prompts, takingSlashLines }: ModelPorts,
): SessionRouter {
  const known = guide.get(session);
  if (known !== undefined) return known;
  const router = guide.open(session);
  for (const role of ["architect", "inspector", "tester"] as const)
    router.register(standardCards[role], takingSlashLines(role, answerByModel(role, { prompts, router })));
  return router;
}
