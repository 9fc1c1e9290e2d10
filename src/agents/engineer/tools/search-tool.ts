/** Text search for the model, by git, over the files git knows. */
import type { ModelTool } from "../../../orchestration/models/index.ts";
import type { RunContext } from "../../../orchestration/runs/index.ts";
import { skillTool } from "../../skills/index.ts";
import { search } from "../skills.ts";

const timeoutMs = 30_000;

export function searchTool({ workspace, command }: Pick<RunContext, "workspace" | "command">): ModelTool {
  return skillTool(search, async ({ text }, { signal }) => {
    const { output } = await command({
      argv: ["git", "grep", "--line-number", "--fixed-strings", "--untracked", "-e", text],
      cwd: workspace.tree,
      timeoutMs,
      onlyLooks: true,
      signal,
    });
    return { matches: output.split("\n").filter(Boolean).slice(0, 100) };
  });
}
