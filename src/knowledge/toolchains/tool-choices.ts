/**
 * Tools that people named, in their order.
 *
 *   the session's preference, the project's tools.prefer -> chosen, before what the files show
 *   the user's own tools.prefer                          -> preferred, where the files show none
 */
import { join } from "node:path";
import type { ToolChoices } from "../../contract/index.ts";
import { readSettingsFile } from "../../platform/config/index.ts";
import { repositoryAround } from "./scan-project.ts";
import { categories } from "./tool-definition.ts";

export const noChoices: ToolChoices = { chosen: {}, preferred: [] };

type Named = {
  /** Preferences of the session, with those promoted to its project. */
  readonly session: Readonly<Record<string, string>>;
  /** `tools.prefer` of the user's own settings. */
  readonly user: string;
};

export async function choicesIn(path: string, { session, user }: Named): Promise<ToolChoices> {
  const ofProject = await projectNames(repositoryAround(path));
  const chosen = categories.flatMap((category) => {
    const own = session[category];
    const names = [...(own === undefined ? [] : [own]), ...ofProject];
    return names.length === 0 ? [] : [[category, names] as const];
  });
  return { chosen: Object.fromEntries(chosen), preferred: namesIn(user) };
}

/** A file that is wrong names none here: the start of each session and `sylk status` tell what is wrong with it. */
async function projectNames(tree: string): Promise<readonly string[]> {
  const { values } = await readSettingsFile(join(tree, ".sylk", "config.yaml"), "project");
  return namesIn((values.get("tools.prefer")?.value as string | undefined) ?? "");
}

function namesIn(list: string): string[] {
  return list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
