/** Sources in SQLite: rows of sources, documents and passages; the full-text index follows the passages by triggers. */
import type { ProjectId, Source, SourceId, SourceKind } from "../../contract/index.ts";
import type { Sql, SqlRow } from "../../platform/store/index.ts";
import type { FoundPassage, SearchTerms, SourceRecord, SourceRepository } from "./store.ts";

const ofLeaving = `SELECT p.id FROM source_passages p JOIN source_documents d ON d.id = p.document
  JOIN sources s ON s.id = d.source WHERE s.state = 'leaving' LIMIT ?`;

export function sqliteSources(sql: Sql): SourceRepository {
  return {
    begin: async (source) => insert(sql, source),
    addDocument: async (source, { location, title, quality }) =>
      sql.run(
        "INSERT INTO source_documents (source, location, title, quality) VALUES (?, ?, ?, ?)",
        source,
        location,
        title,
        quality,
      ).lastInsertRowid,
    async addPassages(document, { project, title }, passages) {
      for (const { start, line, heading, text } of passages)
        sql.run(
          "INSERT INTO source_passages (document, start, line, title, heading, text, scope) VALUES (?, ?, ?, ?, ?, ?, ?)",
          document,
          start,
          line,
          title,
          heading,
          text,
          project,
        );
    },
    async finish({ id, title, documents, passages, bytes, quality, notes }) {
      sql.run(
        `UPDATE sources SET state = 'ready', title = ?, documents = ?, passages = ?, bytes = ?, quality = ?, notes = ?
         WHERE id = ?`,
        title,
        documents,
        passages,
        bytes,
        quality,
        JSON.stringify(notes),
        id,
      );
    },
    leave: async (id) => void sql.run("UPDATE sources SET state = 'leaving' WHERE id = ?", id),
    async removeSome(limit) {
      const removed = sql.run(`DELETE FROM source_passages WHERE id IN (${ofLeaving})`, limit).changes;
      if (removed === 0) removeEmpty(sql);
      return removed;
    },
    unfinished: async () => sql.all("SELECT id FROM sources WHERE state <> 'ready'").map(({ id }) => id as SourceId),
    async find(id) {
      const row = sql.get("SELECT * FROM sources WHERE id = ? AND state = 'ready'", id);
      return row && toSource(row);
    },
    list: async ({ project, kind, before, limit }) =>
      sql
        .all(
          `SELECT * FROM sources WHERE state = 'ready' AND project = coalesce(?, project) AND kind = coalesce(?, kind)
           AND id < coalesce(?, 'zzzz') ORDER BY id DESC LIMIT ?`,
          project ?? null,
          kind ?? null,
          before ?? null,
          limit,
        )
        .map(toSource),
    at: async (project, location) =>
      sql
        .all("SELECT * FROM sources WHERE project = ? AND location = ? AND state = 'ready'", project, location)
        .map(toSource),
    async stamp(project) {
      const ids = sql.all("SELECT id FROM sources WHERE project = ? AND state = 'ready' ORDER BY id", project);
      return ids.map(({ id }) => id).join(" ");
    },
    count: async (project, kind) =>
      Number(
        sql.get(
          "SELECT count(*) AS count FROM sources WHERE project = ? AND state = 'ready' AND kind = coalesce(?, kind)",
          project,
          kind ?? null,
        )!.count,
      ),
    search: async (terms) => search(sql, terms),
    async documentText(source, location) {
      const rows = sql.all(
        `SELECT p.text FROM source_passages p JOIN source_documents d ON d.id = p.document
         WHERE d.source = ? AND d.location = ? ORDER BY p.document, p.start`,
        source,
        location,
      );
      return rows.length === 0 ? undefined : rows.map(({ text }) => text).join("");
    },
    withoutVector: async (source, method, limit) =>
      sql
        .all(
          `SELECT p.id, p.title || ' ' || p.heading || ' ' || p.text AS text FROM source_passages p
           JOIN source_documents d ON d.id = p.document
           WHERE d.source = ? AND NOT EXISTS (SELECT 1 FROM source_vectors v WHERE v.passage = p.id AND v.method = ?) LIMIT ?`,
          source,
          method,
          limit,
        )
        .map(({ id, text }) => ({ id: Number(id), text: String(text) })),
    async addVectors(method, vectors) {
      for (const { passage, vector } of vectors)
        sql.run(
          "INSERT OR REPLACE INTO source_vectors (passage, method, vector) VALUES (?, ?, ?)",
          passage,
          method,
          vector,
        );
    },
    async vectorsOf(method, passages) {
      const rows = sql.all(
        "SELECT passage, vector FROM source_vectors WHERE method = ? AND passage IN (SELECT value FROM json_each(?))",
        method,
        JSON.stringify(passages),
      );
      return new Map(rows.map(({ passage, vector }) => [Number(passage), vector as Uint8Array]));
    },
    vectorsAfter: async ({ project, kind, method, after, limit }) =>
      sql
        .all(
          `SELECT v.passage, v.vector FROM source_vectors v JOIN source_passages p ON p.id = v.passage
           JOIN source_documents d ON d.id = p.document JOIN sources s ON s.id = d.source
           WHERE v.method = ? AND v.passage > ? AND s.project = ? AND s.state = 'ready' AND s.kind = coalesce(?, s.kind)
           ORDER BY v.passage LIMIT ?`,
          method,
          after,
          project,
          kind ?? null,
          limit,
        )
        .map(({ passage, vector }) => ({ passage: Number(passage), vector: vector as Uint8Array })),
    passagesOf: async (passages) =>
      sql
        .all(
          `SELECT p.id, p.start, p.line, p.heading, p.text, p.title, d.location, d.quality, s.id AS source, s.kind, 0 AS score
           FROM source_passages p JOIN source_documents d ON d.id = p.document JOIN sources s ON s.id = d.source
           WHERE s.state = 'ready' AND p.id IN (SELECT value FROM json_each(?))`,
          JSON.stringify(passages),
        )
        .map(toPassage),
    removeProject: async (project) =>
      removeAll(sql, sql.run("UPDATE sources SET state = 'leaving' WHERE project = ?", project).changes),
    removeBefore: async (at) =>
      removeAll(
        sql,
        sql.run("UPDATE sources SET state = 'leaving' WHERE added_at < ? AND state = 'ready'", at).changes,
      ),
  };
}

function insert(sql: Sql, source: SourceRecord): void {
  const { id, project, kind, location, title, documents, passages, bytes, quality, notes, addedAt } = source;
  sql.run(
    `INSERT INTO sources (id, project, kind, location, title, state, documents, passages, bytes, quality, notes, added_at)
     VALUES (?, ?, ?, ?, ?, 'reading', ?, ?, ?, ?, ?, ?)`,
    id,
    project,
    kind,
    location,
    title,
    documents,
    passages,
    bytes,
    quality,
    JSON.stringify(notes),
    addedAt,
  );
}

function removeAll(sql: Sql, sources: number): number {
  sql.run(`DELETE FROM source_passages WHERE id IN (${ofLeaving})`, -1);
  removeEmpty(sql);
  return sources;
}

/** Documents and sources that leave and have no passage left. */
function removeEmpty(sql: Sql): void {
  const leaving = "SELECT id FROM sources WHERE state = 'leaving'";
  const empty = "NOT EXISTS (SELECT 1 FROM source_passages p WHERE p.document = source_documents.id)";
  sql.run(`DELETE FROM source_documents WHERE source IN (${leaving}) AND ${empty}`);
  sql.run(
    `DELETE FROM sources WHERE state = 'leaving' AND NOT EXISTS (SELECT 1 FROM source_documents d WHERE d.source = sources.id)`,
  );
}

/** Titles and headings count more than the text below them. */
function search(sql: Sql, { project, words, kind, limit }: SearchTerms): readonly FoundPassage[] {
  if (words.length === 0) return [];
  const any = words.map((word) => `"${word.replaceAll('"', "")}"`).join(" OR ");
  const rows = sql.all(
    `SELECT p.id, p.start, p.line, p.heading, p.text, p.title, d.location, d.quality, s.id AS source, s.kind,
       bm25(source_search, 4.0, 3.0, 1.0, 0.0) AS score
     FROM source_search JOIN source_passages p ON p.id = source_search.rowid
     JOIN source_documents d ON d.id = p.document JOIN sources s ON s.id = d.source
     WHERE source_search MATCH ? AND s.project = ? AND s.state = 'ready' AND s.kind = coalesce(?, s.kind)
     ORDER BY score, p.id LIMIT ?`,
    `scope : "${project}" AND {title heading text} : (${any})`,
    project,
    kind ?? null,
    limit,
  );
  return rows.map(toPassage);
}

function toPassage(row: SqlRow): FoundPassage {
  return {
    id: Number(row.id),
    source: row.source as SourceId,
    kind: row.kind as SourceKind,
    location: String(row.location),
    title: String(row.title),
    heading: String(row.heading),
    start: Number(row.start),
    line: Number(row.line),
    text: String(row.text),
    quality: Number(row.quality),
    score: -Number(row.score),
  };
}

function toSource(row: SqlRow): SourceRecord {
  return {
    id: row.id as SourceId,
    project: row.project as ProjectId,
    kind: row.kind as SourceKind,
    location: String(row.location),
    title: String(row.title),
    documents: Number(row.documents),
    passages: Number(row.passages),
    bytes: Number(row.bytes),
    quality: Number(row.quality),
    notes: JSON.parse(String(row.notes)) as Source["notes"],
    addedAt: Number(row.added_at),
  };
}
