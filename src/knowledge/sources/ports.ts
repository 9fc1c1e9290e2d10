/** What research needs from the rest of the program. */
import type { ArchiveSession, Caller, ProjectId, ResearchAnswer } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { EventRepository } from "../../platform/event-log/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { ArchiveRepository } from "../archive/index.ts";
import type { DocumentReader } from "./document-reader.ts";
import type { FetchPage } from "./fetch-page.ts";
import type { VectorMethod } from "./hashing-vectors.ts";
import type { ResearchHooks } from "./research-hooks.ts";
import type { SourceRepository } from "./store.ts";

export type SourceRepositories = {
  readonly sources: SourceRepository;
  readonly events: EventRepository;
  readonly archive: Pick<ArchiveRepository, "addSaving">;
};

/** Asks the model of a caller; undefined terms mean the configured one. */
export type WriteByModel = (request: {
  readonly system: string;
  readonly prompt: string;
  readonly provider: string | undefined;
  readonly rehearse: string | undefined;
  readonly signal: AbortSignal;
}) => Promise<{
  readonly text: string;
  readonly model: string;
  readonly label?: string | undefined;
  /** Undefined when the provider did not say. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | undefined;
}>;

/** Answers that are kept; the Archivalist has them. */
export type ResearchCache = {
  find(project: ProjectId, key: string): Promise<ResearchAnswer | undefined>;
  keep(project: ProjectId, key: string, answer: ResearchAnswer): Promise<void>;
};

/** A repository, cloned if it is elsewhere, with what its code shows. */
export type OpenRepository = (
  location: string,
  signal: AbortSignal,
) => Promise<{
  readonly tree: string;
  readonly title: string;
  readonly overview: string;
  readonly commit: string | null;
}>;

export type SourcePorts = {
  readonly store: Store<SourceRepositories>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly reader: DocumentReader;
  readonly fetchPage: FetchPage;
  readonly openRepository: OpenRepository;
  readonly hooks: ResearchHooks;
  readonly write: WriteByModel;
  /** Undefined: words alone. */
  readonly vectors: VectorMethod | undefined;
  /** Of one document. */
  readonly maxBytes: number;
  /** Folder of the caller's tree: relative paths begin there, an agent's must stay there. */
  readonly treeOf: (caller: Caller) => Promise<string>;
  /** The session that an answer without research is counted for. */
  readonly sessionOf: (caller: Caller) => Promise<ArchiveSession | undefined>;
};
