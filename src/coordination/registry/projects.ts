/** A project's row is made when it is first seen. */
import type { Project } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { ProjectPlace } from "./locate-project.ts";
import type { RegistryRepositories } from "./store.ts";

type Ports = { readonly clock: Clock; readonly ids: IdSource };

export async function ensureProject(
  { path, name }: Pick<ProjectPlace, "path" | "name">,
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

/** The same in a transaction of its own. */
export function ensureProjectAt(
  place: Pick<ProjectPlace, "path" | "name">,
  { store, ...ports }: Ports & { readonly store: Pick<Store<Pick<RegistryRepositories, "projects">>, "transact"> },
): Promise<Project> {
  return store.transact("project", (tx) => ensureProject(place, tx, ports));
}
