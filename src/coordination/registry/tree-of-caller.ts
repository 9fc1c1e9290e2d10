/** The working tree that a reader asks about: the one it names, an agent's own, or the project's main one. */
import { basename, dirname } from "node:path";
import { type Caller, DomainError } from "../../contract/index.ts";
import { treeOfProject } from "./tree-of-project.ts";

export async function treeOfCaller(folder: string | undefined, caller: Caller): Promise<string> {
  const { project } = caller;
  if (project === undefined)
    throw new DomainError(
      "agent.unknown-project",
      'This question needs a project: send the folder in the header "sylk-project", or use an agent\'s token',
      { details: { header: "sylk-project" } },
    );
  if (caller.kind === "agent") return treeOfProject(folder, caller);
  const main = basename(project.path) === ".git" ? dirname(project.path) : project.path;
  return treeOfProject(folder ?? main, { tree: main, project });
}
