/** The Librarian in a run: knows the code of the run's tree, from the index that all trees of the repository share. */
import { answerMessages, type RoleHandler } from "../../orchestration/guide/index.ts";
import type { CodeLook } from "../../knowledge/code-index/index.ts";
import { contextFor } from "../shared/code-look/index.ts";

export function createLibrarian({ look }: { readonly look: CodeLook }): RoleHandler {
  return answerMessages({
    async CONTEXT_REQUEST({ payload }) {
      return { type: "CONTEXT_RESPONSE", payload: await contextFor(payload.question, look) };
    },
  });
}
