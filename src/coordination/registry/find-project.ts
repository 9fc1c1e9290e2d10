/** A project by its name, its id, or the path of its folder, also when that folder is gone. */
import { basename, dirname, isAbsolute, join } from "node:path";
import { DomainError, invalidInput, ProjectId, type Project } from "../../contract/index.ts";
import { locateProject } from "./locate-project.ts";
import type { ProjectRepository } from "./store.ts";

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
  const named = (await projects.list()).filter(({ name }) => name === target);
  if (named.length > 1)
    throw invalidInput("project", "is the name of several projects", {
      sentence: `${named.length} projects are called "${target}"; give the id of one: ${named.map((project) => `${project.id} (${folderOf(project)})`).join(", ")}`,
    });
  const [only] = named;
  if (only !== undefined) return { id: only.id, name: only.name, path: only.path };
  throw new DomainError("project.not-found", `No project "${target}" is known here; "sylk project list" names them`, {
    details: { path: target },
  });
}

/** What a list over all projects calls each: its name, or its folder where another has the same name. */
export async function projectLabels(projects: ProjectRepository): Promise<ReadonlyMap<ProjectId, string>> {
  const known = await projects.list();
  const isShared = (wanted: string): boolean => known.filter(({ name }) => name === wanted).length > 1;
  return new Map(known.map((project) => [project.id, isShared(project.name) ? folderOf(project) : project.name]));
}

function folderOf({ path }: Project): string {
  return basename(path) === ".git" ? dirname(path) : path;
}
