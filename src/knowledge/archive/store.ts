/** The archive: what was asked, planned, done, found and spent. */
import type { HistoryEntry, ProjectId } from "../../contract/index.ts";

export type ArchiveRepository = {
  /** The same id again replaces the entry: a run may end more than once, after an approval. */
  keep(project: ProjectId, entry: HistoryEntry): Promise<void>;
  /** Newest first; `words` must all occur in title or content. */
  list(query: {
    readonly project: ProjectId | undefined;
    readonly words: readonly string[];
    readonly before: string | undefined;
    readonly limit: number;
  }): Promise<readonly HistoryEntry[]>;
  /** Entries about these stay, whatever their age. */
  removeBefore(at: number, except: readonly string[]): Promise<number>;
  removeProject(project: ProjectId): Promise<number>;
};
