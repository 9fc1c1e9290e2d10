/** A project by its id, or by the path of its folder, also when that folder is gone. */
import { isAbsolute, join } from "node:path";
import { DomainError, ProjectId, type Project } from "../contract/index.ts";
import { locateProject, type ProjectRepository } from "../coordination/registry/index.ts";

/** A folder that is gone is still known by its path: as a plain folder, or by the git folder that was in it. */
export async function possiblePaths(target: string): Promise<readonly string[]> {
  if (!isAbsolute(target)) return [];
  const located = await locateProject(target).catch(() => undefined); // the folder need not be there any more
  return [...(located === undefined ? [] : [located.path]), target, join(target, ".git")];
}

export async function findProject(
  target: string,
  paths: readonly string[],
  projects: ProjectRepository,
): Promise<Project> {
  const id = ProjectId.safeParse(target);
  if (id.success) {
    const found = await projects.find(id.data);
    if (found !== undefined) return found;
  }
  for (const path of paths) {
    const found = await projects.findByPath(path);
    if (found !== undefined) return found;
  }
  throw new DomainError("project.not-found", `No project "${target}" is known here; "sylk project list" names them`, {
    details: { path: target },
  });
}
