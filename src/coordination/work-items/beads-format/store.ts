/** The tables of imported work items, as a port. */
import type { ProjectId, WorkItemId } from "../../../contract/index.ts";
import type { WorkItemRecord } from "../store.ts";

export type LinkKind = "blocks" | "relates" | "discovered-from" | "parent";

export type ImportRepository = {
  lineOf(id: WorkItemId): Promise<string | undefined>;
  setLine(id: WorkItemId, line: string): Promise<void>;
  /** Items of a project after a cursor, in the order they were made here, with the line they came with. */
  page(
    project: ProjectId,
    after: string | undefined,
    limit: number,
  ): Promise<readonly { readonly record: WorkItemRecord; readonly line: string | undefined }[]>;
  keepOpenLink(project: ProjectId, item: WorkItemId, kind: LinkKind, other: string): Promise<void>;
  /** The links that waited for this item; they are forgotten here. */
  takeOpenLinks(
    project: ProjectId,
    other: string,
  ): Promise<readonly { readonly item: WorkItemId; readonly kind: LinkKind }[]>;
  countOpenLinks(project: ProjectId): Promise<number>;
  addLink(item: WorkItemId, kind: LinkKind, other: WorkItemId): Promise<void>;
  removeLink(item: WorkItemId, kind: LinkKind, other: WorkItemId): Promise<void>;
  dropOpenLinks(item: WorkItemId): Promise<void>;
};
