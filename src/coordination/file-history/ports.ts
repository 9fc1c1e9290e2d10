/** The ports of local history. */
import type { AgentId, ProjectId } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { ToolCalls } from "../guard/index.ts";
import type { ContentPacks } from "./content-packs.ts";
import type { FileVersionRepository } from "./store.ts";

export type CommittedFile = { readonly content: Buffer; readonly isExecutable: boolean; readonly isLink: boolean };
export type Side = { readonly path: string; readonly content: Buffer; readonly mode: number };
export type Merged = { readonly isClean: boolean; readonly content: Buffer };

/** What local history asks git. `adapters/git` implements it. */
export type FileGit = {
  /** Those of the paths that git ignores; none where there is no repository. */
  ignored(tree: string, paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** Contents in HEAD, of those that are there. */
  committed(tree: string, paths: readonly string[]): Promise<ReadonlyMap<string, CommittedFile>>;
  /** Files that differ from HEAD or are new, without the ignored ones. */
  changed(tree: string): Promise<readonly string[]>;
  /** Takes the change `mine` -> `before` into `current`; undefined for what is not text. */
  merge(current: Buffer, mine: Buffer, before: Buffer, labels: MergeLabels): Promise<Merged | undefined>;
  /** A patch from one set of files to another. */
  diff(from: readonly Side[], to: readonly Side[]): Promise<string>;
};
export type MergeLabels = { readonly current: string; readonly mine: string; readonly before: string };

export type HistoryLimits = {
  readonly isOn: boolean;
  /** All contents together, on the disk. */
  readonly maxBytes: number;
  /** Contents of larger files are not kept. */
  readonly maxFileBytes: number;
  readonly keepDays: number;
};

export type FileHistoryRepositories = { readonly fileVersions: FileVersionRepository };
export type FileHistoryPorts = {
  readonly store: Store<FileHistoryRepositories>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly calls: Pick<ToolCalls, "inTree">;
  readonly git: FileGit;
  readonly packs: ContentPacks;
  readonly limits: HistoryLimits;
  /** After each batch; a sentence for everything that could not be kept. */
  readonly onKept: (troubles: readonly string[]) => void;
  readonly onFailed: (error: unknown) => void;
};

/** Whose tool wrote files, and where. */
export type ToolWrite = {
  readonly project: ProjectId;
  readonly tree: string;
  readonly paths: readonly string[];
  readonly agent?: AgentId;
};
