/** The working tree around a folder that a caller names; the caller's own where it names none. */
import { DomainError, type AgentCaller } from "../../contract/index.ts";
import { locateProject } from "./locate-project.ts";

export async function treeOfProject(folder: string | undefined, { tree, project }: AgentCaller): Promise<string> {
  if (folder === undefined) return tree;
  const place = await locateProject(folder);
  if (place.path === project.path) return place.tree;
  throw new DomainError("caller.denied", `${folder} belongs to ${place.name}, not to ${project.name}`, {
    details: { needed: "a tree of this project" },
  });
}
