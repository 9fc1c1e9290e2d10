/** Progress of the index as events of the project that asked about the tree. */
import { code, type ProjectId } from "../../contract/index.ts";
import type { EventRepository } from "../../platform/event-log/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { IndexProgress } from "./repository-index.ts";

type Ports = {
  readonly store: Store<{ readonly events: EventRepository }>;
  readonly onFailed: (error: unknown) => void;
};

const mostTrees = 1_000;

export function reportProgress({ store, onFailed }: Ports) {
  const projects = new Map<string, ProjectId>();
  return {
    asked(tree: string, project: ProjectId): void {
      if (projects.size >= mostTrees) projects.clear();
      projects.set(tree, project);
    },
    forget(project: ProjectId): void {
      for (const [tree, its] of projects) if (its === project) projects.delete(tree);
    },
    told({ tree, files, waiting, updated }: IndexProgress): void {
      const project = projects.get(tree);
      if (project === undefined) return;
      const facts = { tree, files, waiting };
      const event =
        updated === undefined
          ? code.CodeIndexProgress.of(tree, facts)
          : code.CodeIndexUpdated.of(tree, { ...facts, ...updated });
      store.transact(project, (tx) => tx.events.append(project, event)).catch(onFailed);
    },
  };
}
