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
