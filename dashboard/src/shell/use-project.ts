/** The project in view: all of them, or the one that the address names. */
import { useLive } from "../live/live-context.tsx";
import { useRoute } from "./use-route.tsx";

export type ProjectInView = { readonly id: string; readonly name: string; readonly path: string };

export function useProjects(): readonly ProjectInView[] {
  return useLive("project.list", {}).data?.items ?? [];
}

/** Undefined for all projects, and while the list of projects is not here yet. */
export function useProject(): ProjectInView | undefined {
  const { project } = useRoute();
  const projects = useProjects();
  return project === undefined ? undefined : projects.find(({ id, name }) => id === project || name === project);
}

/** What belongs to one project needs no choice where there is only one. */
export function useOneProject(): ProjectInView | undefined {
  const chosen = useProject();
  const projects = useProjects();
  const isAnyMeant = useRoute().project === undefined;
  return chosen ?? (isAnyMeant && projects.length === 1 ? projects[0] : undefined);
}
