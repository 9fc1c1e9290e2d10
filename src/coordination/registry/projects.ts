/** A project's row is made when it is first seen. */
import type { Project } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { ProjectPlace } from "./locate-project.ts";
import type { RegistryRepositories } from "./store.ts";

type Ports = { readonly clock: Clock; readonly ids: IdSource };

export async function ensureProject(
  { path, name }: ProjectPlace,
  tx: Pick<RegistryRepositories, "projects">,
  { clock, ids }: Ports,
  /** May refuse: then nothing is written. */
  beforeInsert?: (project: Project) => Promise<unknown>,
): Promise<Project> {
  const known = await tx.projects.findByPath(path);
  if (known !== undefined) return known;
  const project: Project = { id: ids.next("prj"), path, name };
  await beforeInsert?.(project);
  await tx.projects.insert(project, clock.now());
  return project;
}
