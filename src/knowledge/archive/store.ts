/**
 * The archive's rows: entries in one partition for each session, and what is counted about them.
 *
 * Invariant: an entry has a session; a query names the sessions that it may see.
 */
import type {
  ArchiveSession,
  FoundEntry,
  HistoryEntry,
  ProjectId,
  SearchAbout,
  Warning,
  KnownWorkflow,
} from "../../contract/index.ts";

/** An entry on its way into the store. */
export type NewEntry = Omit<HistoryEntry, "tokens" | "archived"> & {
  /** What was run, where this is the record of a run. */
  readonly workflow?: WorkflowDefinition | undefined;
};
export type WorkflowDefinition = { readonly nodes: KnownWorkflow["nodes"] };

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
export type Found = { readonly items: readonly FoundEntry[]; readonly about: SearchAbout };
export type EntryMark = "keep" | "unkeep" | "archive" | "unarchive";

type EntryRows = {
  /** The same id again replaces the entry: a run may end more than once, after an approval. */
  keep(project: ProjectId, entry: NewEntry): Promise<void>;
  find(id: string, project: ProjectId | undefined): Promise<HistoryEntry | undefined>;
  /** Newest first; the cursor of an item continues after it. */
  list(page: EntryPage): Promise<readonly (HistoryEntry & { readonly cursor: string })[]>;
  /** One session from its beginning; the cursor of an item continues after it. */
  course(
    of: {
      readonly project: ProjectId | undefined;
      readonly session: ArchiveSession;
      readonly after: string | undefined;
    },
    limit: number,
  ): Promise<readonly (HistoryEntry & { readonly cursor: string })[]>;
  count(filter: EntryFilter): Promise<number>;
  /** Best first. */
  search(search: EntrySearch): Promise<Found>;
  mark(id: string, project: ProjectId, mark: EntryMark): Promise<void>;
  promote(id: string, project: ProjectId, promotion: HistoryEntry["promoted"]): Promise<void>;
  projectOf(session: ArchiveSession): Promise<ProjectId | undefined>;
  /** Estimated tokens of a session's entries that are not archived. */
  tokensOf(project: ProjectId, session: ArchiveSession): Promise<number>;
  /** Entries about these stay, whatever their age. */
  removeBefore(at: number, except: readonly string[]): Promise<number>;
  removeProject(project: ProjectId): Promise<number>;
};

export type SessionTally = {
  readonly session: ArchiveSession;
  readonly entries: number;
  readonly archived: number;
  readonly facts: number;
  readonly summaries: number;
  readonly categories: Readonly<Record<string, number>>;
  readonly tokens: number;
  readonly firstAt: number;
  readonly lastAt: number;
};

/** A model call or context that was not needed. */
export type Saving = {
  readonly session: ArchiveSession;
  readonly kind: "cache-hit" | "skipped-work" | "consultation";
  readonly what: string;
  /** Tokens of the call that was not made; measured where its cost is on record. */
  readonly avoided: number;
  readonly isMeasured: boolean;
  /** Tokens of context that were not sent. */
  readonly context: number;
  /** Tokens that the answer itself cost. */
  readonly serving: number;
  readonly at: number;
};
export type SavingTally = Omit<Saving, "what" | "at"> & { readonly count: number };
export type QueryScope = "session" | "sessions" | "all";
export type QueryTally = {
  readonly session: ArchiveSession;
  readonly scope: QueryScope;
  readonly asked: number;
  readonly found: number;
  readonly cached: number;
};

type ReportRows = {
  tally(
    project: ProjectId | undefined,
    sessions: readonly ArchiveSession[] | undefined,
  ): Promise<readonly SessionTally[]>;
  workflows(filter: EntryFilter, limit: number): Promise<readonly KnownWorkflow[]>;
  /** Failures that look alike and were seen at least twice, the latest first. */
  warnings(filter: EntryFilter, limit: number): Promise<readonly Warning[]>;
  /** Skipped work of the same name is counted once in a session: a run may end more than once. */
  addSaving(project: ProjectId, saving: Saving): Promise<void>;
  savings(project: ProjectId | undefined, session: ArchiveSession | undefined): Promise<readonly SavingTally[]>;
  addQueries(project: ProjectId, queries: readonly QueryTally[], at: number): Promise<void>;
  queries(project: ProjectId | undefined, session: ArchiveSession | undefined): Promise<readonly QueryTally[]>;
};

export type Snapshot = {
  readonly id: string;
  readonly session: ArchiveSession;
  readonly entries: number;
  readonly at: number;
};

type UpkeepRows = {
  /** Entries that a compaction may replace. */
  compactible(
    project: ProjectId,
    session: ArchiveSession | undefined,
    before: number,
  ): Promise<readonly HistoryEntry[]>;
  remove(project: ProjectId, ids: readonly string[]): Promise<number>;
  /** The oldest ones leave, but not the one to spare. */
  saveSnapshot(project: ProjectId, snapshot: Omit<Snapshot, "entries">, sparing?: string): Promise<Snapshot>;
  findSnapshot(id: string, project: ProjectId): Promise<Snapshot | undefined>;
  /** How many entries of the session were not in it. */
  restoreSnapshot(id: string, project: ProjectId): Promise<number>;
  chosenSession(project: ProjectId, client: string): Promise<ArchiveSession | undefined>;
  chooseSession(project: ProjectId, client: string, session: ArchiveSession | undefined): Promise<void>;
};

export type ArchiveRepository = EntryRows & ReportRows & UpkeepRows;

/** What a committed change of entries was about. */
export type Written = {
  /** Undefined: of any project. */
  readonly project: ProjectId | undefined;
  /** Undefined: other sessions may see something else too. */
  readonly session: ArchiveSession | undefined;
};
