/** The index file of a repository, opened: its contents and its trees. A damaged one is made again. */
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type DerivedFile, openDerivedFile } from "../../platform/store/index.ts";
import { type ContentStore, createContentStore } from "./content-store.ts";
import { schema, schemaVersion } from "./schema.ts";
import { createTreeStore, type TreeStore } from "./tree-store.ts";

export type IndexFile = {
  readonly sql: DerivedFile;
  readonly contents: ContentStore;
  readonly trees: TreeStore;
  /** Why an earlier file was removed. */
  readonly why: string | undefined;
};

/** One for each repository: `common` is the folder that all its working trees share. */
export function indexFileOf(folder: string, common: string): string {
  const name = basename(common) === ".git" ? basename(dirname(common)) : basename(common);
  const readable = name.replaceAll(/[^\w.-]/g, "_").slice(0, 60);
  return join(folder, `${readable}-${createHash("sha256").update(common).digest("hex").slice(0, 16)}.db`);
}

export function openIndexFile(file: string, now: () => number): IndexFile {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const { sql, why } = openDerivedFile(file, { schema, version: schemaVersion });
  return { sql, contents: createContentStore(sql, now), trees: createTreeStore(sql, now), why };
}
