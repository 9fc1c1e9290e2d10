/** Tables of an imported index. A local symbol means another thing in every document, so its name has the document's number. */
export const schemaVersion = 1;
export const schema = `
CREATE TABLE import (
  id INTEGER PRIMARY KEY, source TEXT NOT NULL UNIQUE, tool TEXT NOT NULL, imported_at INTEGER NOT NULL,
  left_out INTEGER NOT NULL
) STRICT;
CREATE TABLE document (
  id INTEGER PRIMARY KEY, import INTEGER NOT NULL REFERENCES import(id), path TEXT NOT NULL, hash TEXT NOT NULL
) STRICT;
CREATE INDEX document_by_path ON document(path);
CREATE TABLE symbol (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, text TEXT NOT NULL) STRICT;
CREATE TABLE occurrence (
  document INTEGER NOT NULL, line INTEGER NOT NULL, col INTEGER NOT NULL, end_line INTEGER NOT NULL,
  end_col INTEGER NOT NULL, symbol INTEGER NOT NULL, is_definition INTEGER NOT NULL
) STRICT;
CREATE INDEX occurrence_by_symbol ON occurrence(symbol, document);
CREATE INDEX occurrence_by_place ON occurrence(document, line);
`;
