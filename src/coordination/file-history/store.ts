/** The tables of local history, as a port: versions, and where their contents lie. */
import type { AgentId, AgentRef, FileVersion, FileVersionId, ProjectId } from "../../contract/index.ts";

export type VersionRecord = {
  readonly id: FileVersionId;
  readonly project: ProjectId;
  readonly tree: string;
  readonly path: string;
  readonly seenAt: number;
  readonly seen: FileVersion["seen"];
  readonly state: FileVersion["state"];
  /** Of a kept one. */
  readonly hash: string | undefined;
  readonly bytes: number | undefined;
  readonly mode: number | undefined;
  readonly author: AgentRef | undefined;
  readonly knownBy: FileVersion["knownBy"];
  readonly command: string | undefined;
};

/** Where a content lies: so many bytes of a pack, compressed. */
export type ContentPlace = {
  readonly hash: string;
  readonly pack: string;
  readonly start: number;
  readonly stored: number;
  readonly bytes: number;
};

export type VersionQuery = {
  readonly project: ProjectId | undefined;
  readonly tree?: string | undefined;
  readonly path?: string | undefined;
  readonly agent?: AgentId | undefined;
  readonly since?: number | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
};

export type FileVersionRepository = {
  add(version: VersionRecord): Promise<void>;
  addPack(pack: { readonly name: string; readonly bytes: number }, contents: readonly ContentPlace[]): Promise<void>;
  find(id: FileVersionId): Promise<VersionRecord | undefined>;
  latest(tree: string, path: string): Promise<VersionRecord | undefined>;
  /** All kept versions of a path, the oldest first. */
  chain(tree: string, path: string): Promise<readonly VersionRecord[]>;
  /** The newest first. */
  list(query: VersionQuery): Promise<readonly VersionRecord[]>;
  /** Paths with a matching version, in order of their names. */
  paths(query: Omit<VersionQuery, "before" | "limit">): Promise<readonly string[]>;
  placeOf(hash: string): Promise<ContentPlace | undefined>;
  packs(): Promise<readonly { readonly name: string; readonly bytes: number }[]>;
  count(): Promise<number>;
  /** These remove versions, and contents that no version needs any more; packs without contents are dropped. */
  removeBefore(at: number): Promise<number>;
  removeOldest(count: number): Promise<number>;
  removeProject(project: ProjectId): Promise<number>;
};
