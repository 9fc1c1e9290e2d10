/**
 * Answers to queries, kept until something that they could show has changed.
 *
 *   written in session A -> answers that looked into A, or into all sessions, are dropped · answers of B stay
 *   promoted, marked, removed -> every answer of the project is dropped
 */
import type { OutputOf } from "../../contract/index.ts";
import type { ArchiveScope } from "./archive-scope.ts";
import type { Written } from "./store.ts";

type Answer = OutputOf<"history.list">;
type Kept = ArchiveScope & { readonly answer: Answer };
export type QueryCache = {
  find(key: string): Answer | undefined;
  keep(key: string, scope: ArchiveScope, answer: Answer): void;
  drop(written: Written): void;
};

const mostKept = 500;

export function createQueryCache(): QueryCache {
  const kept = new Map<string, Kept>();
  return {
    find: (key) => kept.get(key)?.answer,
    keep(key, scope, answer) {
      kept.delete(key);
      if (kept.size >= mostKept) kept.delete(kept.keys().next().value!);
      kept.set(key, { ...scope, answer });
    },
    drop(written) {
      for (const [key, answer] of kept) if (couldShow(answer, written)) kept.delete(key);
    },
  };
}

function couldShow({ project, sessions }: Kept, written: Written): boolean {
  const isOfProject = project === undefined || written.project === undefined || project === written.project;
  return isOfProject && (sessions === undefined || written.session === undefined || sessions.includes(written.session));
}
