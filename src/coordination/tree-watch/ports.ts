/** The ports of the tree watch. */
import type { AgentRef, FileVersion, LogEvent, ProjectId } from "../../contract/index.ts";
import type { Bus } from "../../platform/bus/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { FindingRepositories } from "../findings/index.ts";
import type { ToolCalls } from "../guard/index.ts";
import type { LeaseClock } from "../leases/index.ts";
import type { Liveness } from "../registry/index.ts";

/** The watched part of a working tree: files by name, and folders with their content. */
export type WatchedTree = {
  readonly tree: string;
  readonly paths: readonly string[];
  readonly folders: readonly string[];
};
export type TreeWatcher = {
  /** In place of what was watched before; answers with what cannot be watched, a sentence each. */
  watch(trees: readonly WatchedTree[]): Promise<readonly string[]>;
  /** Begins at once with the folders of these files, besides what is watched; the next `watch` decides anew. */
  also(tree: string, paths: readonly string[]): void;
  /** Files that changed since then, and those by name that are not there. */
  changedSince(query: ChangeQuery): Promise<{ readonly changed: readonly ChangedFile[]; readonly isCut: boolean }>;
  stop(): void;
};
export type ChangeQuery = WatchedTree & {
  readonly since: number;
  readonly accepts: (path: string) => boolean;
  /** Beyond so many the answer is cut. */
  readonly most: number;
};
/** `at` is undefined for a file that is gone. */
export type ChangedFile = { readonly path: string; readonly at: number | undefined };
export type WatcherTold = {
  /** A file was written, made, renamed or removed; `path` from the tree's root. */
  readonly onChange: (tree: string, path: string) => void;
  /** Folders came or went: call `watch` again. */
  readonly onFolders: () => void;
};

/** Local history: it keeps what the watch sees. */
export type ChangeKeeper = {
  changed(tree: string, path: string): void;
  /** Files come under a hold: their content is read before this returns. */
  before(files: { readonly project: ProjectId; readonly tree: string; readonly paths: readonly string[] }): void;
  /** Reads files again that changed while they were not watched, `at` on the monotonic clock. */
  reread(files: readonly (TreeFile & { readonly at: number })[]): void;
  /** The changes that were seen after a moment, the newest first; undefined where contents of the file are not kept. */
  since(file: TreeFile, after: number): Promise<readonly KeptChange[] | undefined>;
  /** Files with kept versions, and those that differ from the last commit. */
  known(tree: string): Promise<readonly string[]>;
  /** These trees are watched from now on, whole. */
  opened(trees: readonly { readonly tree: string; readonly project: ProjectId }[]): Promise<void>;
  /** The newest change of a file: its version, and the one that it replaced. Undefined where contents are not kept. */
  newest(tree: string, path: string): Promise<KeptChange | undefined>;
};

type TreeFile = { readonly project: ProjectId; readonly tree: string; readonly path: string };

export type KeptChange = {
  readonly version: string;
  readonly seenAt: number;
  /** Who likely wrote it, and how that is known. */
  readonly author: AgentRef | undefined;
  readonly knownBy: FileVersion["knownBy"];
  readonly replaced?: string;
};

export type TreeWatchPorts = {
  readonly store: Store<FindingRepositories>;
  readonly bus: Bus<LogEvent>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly host: string;
  readonly leases: LeaseClock;
  readonly calls: ToolCalls;
  readonly liveness: Pick<Liveness, "statusOf">;
  /** Absent where local history is off: then only held files are watched. */
  readonly kept?: ChangeKeeper | undefined;
  readonly openWatcher: (told: WatcherTold) => TreeWatcher;
  /** Whether guard.watch is on there. */
  readonly isOn: (tree: string) => Promise<boolean>;
  /** After each look at what is to be watched. */
  readonly onWatched: (troubles: readonly string[]) => void;
  readonly onFailed: (error: unknown) => void;
};
