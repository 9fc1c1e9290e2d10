/** One project, or all of them. */
import type { ReactNode } from "react";
import { useProjects } from "./use-project.ts";
import { goTo, useRoute } from "./use-route.tsx";

export function ProjectChoice(): ReactNode {
  const route = useRoute();
  const projects = useProjects();
  return (
    <label className="project-choice">
      <span className="unseen">Project</span>
      <select
        value={route.project ?? ""}
        onChange={({ target }) => goTo({ ...route, project: target.value === "" ? undefined : target.value })}
      >
        <option value="">All projects</option>
        {projects.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
