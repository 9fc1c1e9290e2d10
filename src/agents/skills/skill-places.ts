/** Which folders a caller may read skills from: an agent only those of its own tree. */
import { isAbsolute, resolve, sep } from "node:path";
import { type Caller, DomainError, invalidInput } from "../../contract/index.ts";
import { locateProject } from "../../coordination/registry/index.ts";
import { isInside } from "../../knowledge/skills/index.ts";

/** The tree whose skills count. None for a user who names no folder: then only the user's own skills count. */
export async function skillTree(folder: string | undefined, caller: Caller): Promise<string | undefined> {
  if (caller.kind === "agent") {
    if (folder !== undefined) await refuseOutside(folder, caller.tree);
    return caller.tree;
  }
  return folder === undefined ? undefined : (await locateProject(folder)).tree;
}

export async function skillPath(path: string, tree: string | undefined, caller: Caller): Promise<string> {
  if (!isAbsolute(path) && tree === undefined)
    throw invalidInput("path", "must be absolute", {
      sentence: `path: "${path}" is relative, and no folder is given; send an absolute path, or a folder`,
    });
  const whole = resolve(tree ?? "/", path);
  if (caller.kind === "agent") await refuseOutside(whole, caller.tree);
  return whole;
}

async function refuseOutside(path: string, tree: string): Promise<void> {
  // A path that does not exist cannot be resolved; reading it reports it as missing.
  if (await isInside(path, tree).catch(() => path.startsWith(tree + sep))) return;
  throw new DomainError("caller.denied", `${path} lies outside of the agent's tree ${tree}`, {
    details: { needed: "a path inside its own tree" },
  });
}
