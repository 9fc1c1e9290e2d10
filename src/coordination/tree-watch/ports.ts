/** The ports of the tree watch. */
import type { LogEvent } from "../../contract/index.ts";
import type { Bus } from "../../platform/bus/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { FindingRepositories } from "../findings/index.ts";
import type { ToolCalls } from "../guard/index.ts";
import type { LeaseClock } from "../leases/index.ts";

/** The watched part of a working tree: files by name, and folders with their content. */
export type WatchedTree = {
  readonly tree: string;
  readonly paths: readonly string[];
  readonly folders: readonly string[];
};
export type TreeWatcher = {
  /** In place of what was watched before; answers with what cannot be watched, a sentence each. */
  watch(trees: readonly WatchedTree[]): Promise<readonly string[]>;
  stop(): void;
};
export type WatcherTold = {
  /** A file was written, made, renamed or removed; `path` from the tree's root. */
  readonly onChange: (tree: string, path: string) => void;
  /** Folders came or went: call `watch` again. */
  readonly onFolders: () => void;
};

export type TreeWatchPorts = {
  readonly store: Store<FindingRepositories>;
  readonly bus: Bus<LogEvent>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly host: string;
  readonly leases: LeaseClock;
  readonly calls: ToolCalls;
  readonly openWatcher: (told: WatcherTold) => TreeWatcher;
  /** Whether guard.watch is on there. */
  readonly isOn: (tree: string) => Promise<boolean>;
  /** After each look at what is to be watched. */
  readonly onWatched: (troubles: readonly string[]) => void;
  readonly onFailed: (error: unknown) => void;
};
