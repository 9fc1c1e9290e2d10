/** The Librarian: knows the code. For now by a simple search over the files git knows. */
import { answerMessages, type RoleHandler } from "../../orchestration/guide/index.ts";
import type { RunContext } from "../../orchestration/runs/index.ts";
import { searchFiles } from "../../knowledge/code-index/index.ts";

const mostFiles = 8;
const listTimeoutMs = 30_000;

export function createLibrarian({ workspace, command }: Pick<RunContext, "workspace" | "command">): RoleHandler {
  return answerMessages({
    async CONTEXT_REQUEST({ payload }, signal) {
      const listed = await command({
        argv: ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd: workspace.tree,
        timeoutMs: listTimeoutMs,
        onlyLooks: true,
        signal,
      });
      const files = listed.output.split("\n").filter((line) => line !== "" && !line.startsWith("…"));
      const found = await searchFiles({
        tree: workspace.tree,
        files,
        question: payload.question,
        limit: mostFiles,
      });
      return {
        type: "CONTEXT_RESPONSE",
        payload: { files: files.slice(0, 500), fileCount: files.length, found: [...found] },
      };
    },
  });
}
