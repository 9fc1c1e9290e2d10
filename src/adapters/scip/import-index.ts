/**
 * Imports an index: each of its documents with the hash of the file that it describes, as that file is now.
 *
 *   index.scip -> document -> file of the tree: there, not changed since the index was written, every place in it -> rows
 *                                              else: left out and counted
 *
 * All or nothing: a refused index leaves the earlier import as it was.
 */
import { stat } from "node:fs/promises";
import { dirname, isAbsolute, join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { OutputOf } from "../../contract/index.ts";
import { blobHash, readDisk } from "../../knowledge/code-index/index.ts";
import type { DerivedFile } from "../../platform/store/index.ts";
import { inUtf16 } from "./columns.ts";
import { decodeDocument, decodeMetadata, decodeSymbol, type ScipDocument, type ScipSymbol } from "./decode-document.ts";
import { readIndexFile, type ScipLimits } from "./read-index-file.ts";
import { ScipRefused } from "./read-fields.ts";

export type ImportLimits = ScipLimits & {
  readonly maxFileBytes: number;
  readonly mostOccurrences: number;
};
export type Imported = OutputOf<"scip.import">;
type Checked = { readonly path: string; readonly hash: string; readonly occurrences: ScipDocument["occurrences"] };

const mostExamples = 5;

export async function importIndex(
  file: string,
  tree: string,
  { sql, now, limits }: { readonly sql: DerivedFile; readonly now: () => number; readonly limits: ImportLimits },
): Promise<Imported> {
  const source = relative(tree, file);
  if (source.startsWith("..") || isAbsolute(source))
    throw new ScipRefused(`${file} is outside ${tree}; copy it into the tree`);
  const writtenAt = await stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    (cause: unknown) => {
      throw new ScipRefused(`there is no ${file}; an indexer such as scip-typescript writes it`, cause);
    },
  );
  let tool = "unknown";
  let root = dirname(file);
  let documents = 0;
  let occurrences = 0;
  let leftOut = 0;
  const examples: { path: string; reason: string }[] = [];
  const rows = openRows(sql);
  rows.begin(source);
  try {
    for await (const { number, bytes } of readIndexFile(file, limits)) {
      if (number === 1) {
        const metadata = decodeMetadata(bytes);
        tool = metadata.tool;
        root = rootOf(metadata.root, tree) ?? root;
      }
      if (number === 2) {
        const document = decodeDocument(bytes);
        const checked = await check(document, { tree, root, writtenAt, maxFileBytes: limits.maxFileBytes });
        if (typeof checked === "string") {
          leftOut += 1;
          if (examples.length < mostExamples) examples.push({ path: document.path, reason: checked });
          continue;
        }
        documents += 1;
        occurrences += checked.occurrences.length;
        if (occurrences > limits.mostOccurrences)
          throw new ScipRefused(`${file} has more than ${limits.mostOccurrences} places, which is the limit`);
        rows.add(checked, document.symbols);
      }
      if (number === 3) rows.describe(decodeSymbol(bytes));
    }
    if (documents + leftOut === 0)
      throw new ScipRefused(`${file} has no document; it is not a SCIP index, or an empty one`);
    rows.commit({ tool, importedAt: now(), leftOut });
  } catch (error) {
    rows.rollback();
    throw error;
  }
  return { tool, documents, occurrences, leftOut: { count: leftOut, examples } };
}

/** The folder that the index speaks of, where it is in this tree; an index from another machine names another one. */
function rootOf(uri: string, tree: string): string | undefined {
  try {
    const root = fileURLToPath(uri);
    return root === tree || root.startsWith(tree + sep) ? root : undefined;
  } catch {
    return undefined;
  }
}

type Terms = {
  readonly tree: string;
  readonly root: string;
  readonly writtenAt: number;
  readonly maxFileBytes: number;
};

/** The document as it is stored, or why it is left out. */
async function check(
  document: ScipDocument,
  { tree, root, writtenAt, maxFileBytes }: Terms,
): Promise<Checked | string> {
  const path = relative(tree, join(root, document.path)).split(sep).join(posix.sep);
  if (isAbsolute(document.path) || path === "" || path.startsWith("..")) return "it is outside the tree";
  const found = await readDisk(tree, path, maxFileBytes);
  if (found.state === "gone") return "the file is gone";
  if (found.state === "left-out") return found.reason;
  const { mtimeMs } = await stat(join(tree, path));
  if (mtimeMs > writtenAt) return "the file was changed after the index was written";
  const lines = found.bytes.toString("utf8").split(/\r?\n/);
  const occurrences = document.occurrences.map((one) => ({
    ...one,
    range: inUtf16(one.range, lines, document.encoding),
  }));
  const inside = occurrences.filter((one): one is Checked["occurrences"][number] => one.range !== undefined);
  if (inside.length < occurrences.length) return "the index has places that the file does not have";
  return { path, hash: blobHash(found.bytes, "sha1"), occurrences: inside };
}

/** Rows of one import, in place of an earlier one of the same file. */
function openRows(sql: DerivedFile) {
  let id = 0;
  const symbolId = (name: string, text: string): number => {
    const known = sql.get("SELECT id FROM symbol WHERE name = ?", name);
    if (known === undefined)
      return sql.run("INSERT INTO symbol (name, text) VALUES (?, ?)", name, text).lastInsertRowid;
    if (text !== "") sql.run("UPDATE symbol SET text = ? WHERE id = ?", text, known.id as number);
    return known.id as number;
  };
  return {
    begin(source: string): void {
      sql.run("BEGIN IMMEDIATE");
      const old = "(SELECT d.id FROM document d JOIN import i ON i.id = d.import WHERE i.source = ?)";
      sql.run(`DELETE FROM occurrence WHERE document IN ${old}`, source);
      sql.run(`DELETE FROM document WHERE id IN ${old}`, source);
      sql.run("DELETE FROM import WHERE source = ?", source);
      const insert = "INSERT INTO import (source, tool, imported_at, left_out) VALUES (?, '', 0, 0)";
      id = sql.run(insert, source).lastInsertRowid;
    },
    add({ path, hash, occurrences }: Checked, symbols: readonly ScipSymbol[]): void {
      const insert = "INSERT INTO document (import, path, hash) VALUES (?, ?, ?)";
      const document = sql.run(insert, id, path, hash).lastInsertRowid;
      const named = (symbol: string): string => (symbol.startsWith("local ") ? `${symbol} ${document}` : symbol);
      for (const { symbol, text } of symbols) symbolId(named(symbol), text);
      for (const { range, symbol, isDefinition } of occurrences) {
        const place = [document, ...range, symbolId(named(symbol), ""), isDefinition ? 1 : 0];
        sql.run("INSERT INTO occurrence VALUES (?, ?, ?, ?, ?, ?, ?)", ...place);
      }
    },
    describe: ({ symbol, text }: ScipSymbol): void => void symbolId(symbol, text),
    commit({ tool, importedAt, leftOut }: { tool: string; importedAt: number; leftOut: number }): void {
      const update = "UPDATE import SET tool = ?, imported_at = ?, left_out = ? WHERE id = ?";
      sql.run(update, tool, importedAt, leftOut, id);
      sql.run("DELETE FROM symbol WHERE id NOT IN (SELECT symbol FROM occurrence)");
      sql.run("COMMIT");
    },
    rollback: (): void => void sql.run("ROLLBACK"),
  };
}
