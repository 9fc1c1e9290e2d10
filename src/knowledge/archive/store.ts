/**
 * The archive's rows: entries in one partition for each session, and what is counted about them.
 *
 * Invariant: an entry has a session; a query names the sessions that it may see.
 */
import type { ArchiveSession, FoundEntry, HistoryEntry, ProjectId, SearchAbout } from "../../contract/index.ts";

/** An entry on its way into the store. */
export type NewEntry = Omit<HistoryEntry, "tokens" | "archived"> & {
  /** Key of the workflow that it was a run of. */
  readonly workflow?: string | undefined;
};

export type EntryFilter = {
  /** Undefined: of all projects. */
  readonly project: ProjectId | undefined;
  /** Undefined: all sessions; else these, and entries that were promoted. */
  readonly sessions: readonly ArchiveSession[] | undefined;
  readonly category?: string | undefined;
  readonly kind?: string | undefined;
  readonly source?: string | undefined;
  readonly status?: string | undefined;
  /** Only failures, and work that could not be verified. */
  readonly failures?: boolean | undefined;
  readonly withArchived?: boolean | undefined;
};
export type EntryPage = EntryFilter & { readonly before: string | undefined; readonly limit: number };
export type EntrySearch = EntryFilter & { readonly words: readonly string[]; readonly limit: number };
export type EntryMark = "keep" | "unkeep" | "archive" | "unarchive";

export type ArchiveRepository = {
  /** The same id again replaces the entry: a run may end more than once, after an approval. */
  keep(project: ProjectId, entry: NewEntry): Promise<void>;
  find(id: string, project: ProjectId | undefined): Promise<HistoryEntry | undefined>;
  /** Newest first. `cursorOf` an item continues after it. */
  list(page: EntryPage): Promise<readonly (HistoryEntry & { readonly cursor: string })[]>;
  count(filter: EntryFilter): Promise<number>;
  /** Best first. */
  search(search: EntrySearch): Promise<{ readonly items: readonly FoundEntry[]; readonly about: SearchAbout }>;
  mark(id: string, project: ProjectId, mark: EntryMark): Promise<void>;
  promote(id: string, project: ProjectId, promotion: HistoryEntry["promoted"]): Promise<void>;
  projectOf(session: ArchiveSession): Promise<ProjectId | undefined>;
  /** Estimated tokens of a session's entries that are not archived. */
  tokensOf(project: ProjectId, session: ArchiveSession): Promise<number>;
  /** Entries about these stay, whatever their age. */
  removeBefore(at: number, except: readonly string[]): Promise<number>;
  removeProject(project: ProjectId): Promise<number>;
};
