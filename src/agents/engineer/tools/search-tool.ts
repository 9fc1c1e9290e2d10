/** Text search for the model, by git, over the files git knows. */
import * as z from "zod";
import type { ModelTool } from "../../../orchestration/models/index.ts";
import type { RunContext } from "../../../orchestration/runs/index.ts";

const SearchInput = z.object({ text: z.string().min(1).max(200).describe("Text to find, as it is") });
const timeoutMs = 30_000;

export function searchTool({ workspace, command }: Pick<RunContext, "workspace" | "command">): ModelTool {
  return {
    name: "search",
    description: "Find text in the repository's files",
    input: SearchInput,
    async run(input, { signal }) {
      const { text } = SearchInput.parse(input);
      const { output } = await command({
        argv: ["git", "grep", "--line-number", "--fixed-strings", "--untracked", "-e", text],
        cwd: workspace.tree,
        timeoutMs,
        signal,
      });
      return { matches: output.split("\n").filter(Boolean).slice(0, 100) };
    },
  };
}
