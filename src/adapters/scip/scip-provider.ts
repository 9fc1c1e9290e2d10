/**
 * Imported indexes as a provider of the code index: the surest one for what they cover.
 *
 *   place -> document whose file has still the imported content -> symbol there -> its places in documents that are not stale
 *
 * Invariant: no answer rests on a document whose file has changed since the import. An answer about usages is exact only
 * while no document is stale; else it says how many are.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { OutputOf } from "../../contract/index.ts";
import type { CodePosition, PreciseAnswer, PrecisePlace, PreciseProvider } from "../../knowledge/code-index/index.ts";
import { type DerivedFile, openDerivedFile, removeDerivedFile, type SqlRow } from "../../platform/store/index.ts";
import { createFileHashes } from "./file-hashes.ts";
import { type Imported, importIndex, type ImportLimits } from "./import-index.ts";
import { schema, schemaVersion } from "./schema.ts";

export type ScipPorts = {
  /** Where imported indexes are kept. */
  readonly folder: string;
  readonly now: () => number;
  /** The folder that all working trees of the tree's repository share. */
  readonly repositoryOf: (tree: string) => Promise<string>;
  readonly limits?: Partial<ImportLimits>;
};
export type ScipImport = OutputOf<"scip.list">["items"][number];
export type ScipIndexes = PreciseProvider & {
  readonly name: "scip";
  import(file: string, tree: string): Promise<Imported>;
  list(tree: string): Promise<ScipImport[]>;
  /** Removes the imports of a repository. */
  forget(repository: string): Promise<void>;
  close(): void;
};

const mib = 1_048_576;
const defaultLimits: ImportLimits = {
  maxBytes: 1_024 * mib,
  maxPartBytes: 64 * mib,
  maxFileBytes: 8 * mib,
  mostOccurrences: 20_000_000,
};
const mostPlaces = 5_000;
const again = '"sylk scip import" reads a new one';

export function createScipIndexes({ folder, now, repositoryOf, limits: given }: ScipPorts): ScipIndexes {
  const limits = { ...defaultLimits, ...given };
  const hashNow = createFileHashes(limits.maxFileBytes);
  const files = new Map<string, DerivedFile>();
  let importing: Promise<unknown> = Promise.resolve();

  const placeFor = (repository: string): string =>
    join(folder, `${createHash("sha256").update(repository).digest("hex").slice(0, 32)}.db`);
  const placeOfFile = async (tree: string): Promise<string> => placeFor(await repositoryOf(tree));

  /** Undefined: nothing was imported for the repository. */
  async function fileOf(tree: string): Promise<DerivedFile | undefined> {
    const place = await placeOfFile(tree);
    const open = files.get(place);
    if (open !== undefined || !existsSync(place)) return open;
    const { sql } = openDerivedFile(place, { schema, version: schemaVersion });
    files.set(place, sql);
    return sql;
  }

  /** Over a connection of its own: questions see the earlier import until this one is whole. */
  async function importOne(file: string, tree: string): Promise<Imported> {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { sql } = openDerivedFile(await placeOfFile(tree), { schema, version: schemaVersion });
    try {
      return await importIndex(file, tree, { sql, now, limits });
    } finally {
      sql.close();
    }
  }

  async function staleIn(sql: DerivedFile, tree: string): Promise<ReadonlySet<number>> {
    const stale = new Set<number>();
    for (const { id, path, hash } of sql.all("SELECT id, path, hash FROM document"))
      if ((await hashNow(tree, path as string)) !== hash) stale.add(id as number);
    return stale;
  }

  /** The symbol at a place, with those of its document that are still as they were. */
  async function symbolAt({ tree, path, line, column }: CodePosition): Promise<Found | NotCovered> {
    const sql = await fileOf(tree);
    if (sql === undefined) return notCovered("no SCIP index was imported");
    const documents = sql.all("SELECT id, hash FROM document WHERE path = ?", path);
    if (documents.length === 0) return notCovered(`the imported SCIP index does not cover ${path}`);
    const hash = await hashNow(tree, path);
    const fresh = documents.filter((document) => document.hash === hash).map(({ id }) => id as number);
    if (fresh.length === 0) return stale(`${path} has changed since its SCIP index was imported; ${again}`);
    const at = [line - 1, line - 1, line - 1, column - 1, line - 1, column - 1];
    const symbol = sql.get(
      `SELECT s.id, s.text FROM occurrence o JOIN symbol s ON s.id = o.symbol
       WHERE o.document IN (SELECT value FROM json_each(?)) AND o.line <= ? AND o.end_line >= ?
       AND (o.line < ? OR o.col <= ?) AND (o.end_line > ? OR o.end_col >= ?)
       ORDER BY o.end_line - o.line, o.end_col - o.col LIMIT 1`,
      JSON.stringify(fresh),
      ...at,
    );
    if (symbol === undefined) return notCovered(`the imported SCIP index has no symbol at ${path}:${line}:${column}`);
    return { sql, symbol: symbol.id as number, text: symbol.text as string };
  }

  async function places(at: CodePosition, onlyDefinitions: boolean): Promise<PreciseAnswer<Places>> {
    const found = await symbolAt(at);
    if ("state" in found) return found;
    const { sql, symbol } = found;
    const rows = sql.all(
      `SELECT o.*, d.path, d.hash FROM occurrence o JOIN document d ON d.id = o.document WHERE o.symbol = ?
       ${onlyDefinitions ? "AND o.is_definition = 1" : ""} ORDER BY d.path, o.line, o.col LIMIT ?`,
      symbol,
      mostPlaces + 1,
    );
    const staleOnes = await staleIn(sql, at.tree);
    const used = rows.filter(({ document }) => !staleOnes.has(document as number));
    if (onlyDefinitions && used.length === 0) {
      return rows.length === 0
        ? notCovered("the symbol is defined outside the imported SCIP index")
        : stale(`the symbol is defined in a file that has changed since the import; ${again}`);
    }
    const notes =
      onlyDefinitions || staleOnes.size === 0
        ? []
        : [`${staleOnes.size} of the files in the imported SCIP index have changed since and are not used; ${again}`];
    const answer = { places: used.slice(0, mostPlaces).map(placeOf), more: rows.length > mostPlaces };
    return { state: "answered", found: answer, confidence: notes.length === 0 ? "exact" : "likely", notes };
  }

  return {
    name: "scip",
    definition: (at) => places(at, true),
    references: (at) => places(at, false),
    async hover(at) {
      const found = await symbolAt(at);
      if ("state" in found) return found;
      if (found.text === "") return notCovered("the imported SCIP index says nothing about the symbol");
      return { state: "answered", found: { text: found.text }, confidence: "exact", notes: [] };
    },
    isAtHand: async () => true,
    diagnostics: async () => notCovered("an imported SCIP index has no diagnostics"),
    import(file, tree) {
      const own = importing.then(() => importOne(file, tree)); // one after the other
      importing = own.catch(() => {});
      return own;
    },
    async list(tree) {
      const sql = await fileOf(tree);
      if (sql === undefined) return [];
      const stale = await staleIn(sql, tree);
      return sql.all("SELECT * FROM import ORDER BY source").map((row) => {
        const documents = sql.all("SELECT id FROM document WHERE import = ?", row.id as number);
        return {
          source: row.source as string,
          tool: row.tool as string,
          importedAt: row.imported_at as number,
          documents: documents.length,
          stale: documents.filter(({ id }) => stale.has(id as number)).length,
          leftOut: row.left_out as number,
        };
      });
    },
    forget(repository) {
      const place = placeFor(repository);
      const own = importing.then(() => {
        files.get(place)?.close();
        files.delete(place);
        removeDerivedFile(place);
      });
      importing = own.catch(() => {});
      return own;
    },
    close() {
      for (const sql of files.values()) sql.close();
      files.clear();
    },
  };
}

type NotCovered = Extract<PreciseAnswer<never>, { readonly state: "not-covered" }>;

function notCovered(reason: string): NotCovered {
  return { state: "not-covered", reason };
}

function stale(reason: string): NotCovered {
  return { state: "not-covered", reason, isStale: true };
}

type Found = { readonly sql: DerivedFile; readonly symbol: number; readonly text: string };
type Places = { readonly places: readonly PrecisePlace[]; readonly more: boolean };

function placeOf(row: SqlRow): PrecisePlace {
  return {
    path: row.path as string,
    isInTree: true,
    line: (row.line as number) + 1,
    column: (row.col as number) + 1,
    endLine: (row.end_line as number) + 1,
    endColumn: (row.end_col as number) + 1,
    isDefinition: row.is_definition === 1,
  };
}
