/** The working tree around a folder that a caller names; the caller's own where it names none. */
import { DomainError, type AgentCaller } from "../../contract/index.ts";
import { locateKnown } from "./locate-known.ts";
import { locateProject } from "./locate-project.ts";
import type { AgentRepository } from "./store.ts";

/** With `known` also one that is gone. */
export async function treeOfProject(
  folder: string | undefined,
  { tree, project }: Pick<AgentCaller, "tree" | "project">,
  known?: { readonly agents: Pick<AgentRepository, "findByTree"> },
): Promise<string> {
  if (folder === undefined) return tree;
  const place = await (known === undefined ? locateProject(folder) : locateKnown(folder, known));
  if (place.path === project.path) return place.tree;
  throw new DomainError("caller.denied", `${folder} belongs to ${place.name}, not to ${project.name}`, {
    details: { needed: "a tree of this project" },
  });
}
