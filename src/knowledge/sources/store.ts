/** Sources of research and their text. A source is searched only while it is ready. */
import type { ProjectId, Source, SourceId, SourceKind } from "../../contract/index.ts";
import type { Passage } from "./split-passages.ts";

export type SourceRecord = Source & { readonly project: ProjectId };
export type DocumentTerms = { readonly location: string; readonly title: string; readonly quality: number };
/** A passage with the document and source that it belongs to. */
export type FoundPassage = Passage & {
  readonly id: number;
  readonly source: SourceId;
  readonly kind: SourceKind;
  readonly location: string;
  readonly title: string;
  readonly quality: number;
  /** The higher, the better it fits. */
  readonly score: number;
};
export type SearchTerms = {
  readonly project: ProjectId;
  readonly words: readonly string[];
  readonly kind: SourceKind | undefined;
  readonly limit: number;
};

export type SourceRepository = {
  /** In the state "reading". */
  begin(source: SourceRecord): Promise<void>;
  addDocument(source: SourceId, document: DocumentTerms): Promise<number>;
  addPassages(
    document: number,
    of: { readonly project: ProjectId; readonly title: string },
    passages: readonly Passage[],
  ): Promise<void>;
  /** Ready from now on, with what was counted. */
  finish(source: SourceRecord): Promise<void>;
  /** Not searched any more; its text is removed by `removeSome`. */
  leave(id: SourceId): Promise<void>;
  /** Of the sources that are leaving, at most so many passages; how many it removed, 0 when none is left. */
  removeSome(limit: number): Promise<number>;
  /** Those that were being read when the daemon ended. */
  unfinished(): Promise<readonly SourceId[]>;
  find(id: SourceId): Promise<SourceRecord | undefined>;
  /** Ready ones, newest first. */
  list(query: {
    readonly project: ProjectId | undefined;
    readonly kind?: SourceKind | undefined;
    readonly before: string | undefined;
    readonly limit: number;
  }): Promise<readonly SourceRecord[]>;
  at(project: ProjectId, location: string): Promise<readonly SourceRecord[]>;
  /** Changes whenever the sources of a project do. */
  stamp(project: ProjectId): Promise<string>;
  count(project: ProjectId, kind: SourceKind | undefined): Promise<number>;
  search(terms: SearchTerms): Promise<readonly FoundPassage[]>;
  /** Text of a document of a source as it was read; undefined if there is none. */
  documentText(source: SourceId, location: string): Promise<string | undefined>;
  /** Passages of a source without a vector of this method. */
  withoutVector(
    source: SourceId,
    method: string,
    limit: number,
  ): Promise<readonly { readonly id: number; readonly text: string }[]>;
  addVectors(
    method: string,
    vectors: readonly { readonly passage: number; readonly vector: Uint8Array }[],
  ): Promise<void>;
  /** Vectors of the passages that can be searched, by passage, so many after one. */
  vectorsAfter(
    terms: Pick<SearchTerms, "project" | "kind" | "limit"> & { readonly method: string; readonly after: number },
  ): Promise<readonly { readonly passage: number; readonly vector: Uint8Array }[]>;
  /** In no order; their score is 0. */
  passagesOf(passages: readonly number[]): Promise<readonly FoundPassage[]>;
  vectorsOf(method: string, passages: readonly number[]): Promise<ReadonlyMap<number, Uint8Array>>;
  removeProject(project: ProjectId): Promise<number>;
  /** Sources that were added before; their text goes with them. */
  removeBefore(at: number): Promise<number>;
};
