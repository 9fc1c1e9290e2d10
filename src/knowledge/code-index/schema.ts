/**
 * The tables of a repository's index.
 *
 *   blob      facts of one content, once, whichever tree, branch or path has it: symbol, import_of, reference, doc
 *   trigram   its trigrams; a match is verified against the file on the disk
 *   words     its words, identifiers split; ranked by BM25
 *   tree      a working tree; tree_file: which content each path has; tree_skip: what is left out of it, and why
 *
 * Names and paths are stored once and named by number. A change here needs another number: the file is then made anew.
 */
export const schemaVersion = 3;

export const schema = `
CREATE TABLE blob (
  id INTEGER PRIMARY KEY,
  hash BLOB NOT NULL,
  variant TEXT NOT NULL,
  state TEXT NOT NULL,
  reason TEXT,
  language TEXT NOT NULL DEFAULT '',
  bytes INTEGER NOT NULL DEFAULT 0,
  lines INTEGER NOT NULL DEFAULT 0,
  partial TEXT,
  seen_at INTEGER NOT NULL,
  UNIQUE (hash, variant)
);
CREATE INDEX blob_waiting ON blob (id) WHERE state = 'waiting';
CREATE TABLE name (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, lower TEXT NOT NULL, is_symbol INTEGER NOT NULL DEFAULT 0);
CREATE INDEX name_lower ON name (lower) WHERE is_symbol = 1;
CREATE VIRTUAL TABLE name_part USING fts5(text, content='', contentless_delete=1, tokenize='trigram', detail='none');
CREATE TABLE symbol (
  blob INTEGER NOT NULL, ord INTEGER NOT NULL, name INTEGER NOT NULL, kind TEXT NOT NULL,
  line INTEGER NOT NULL, col INTEGER NOT NULL, end_line INTEGER NOT NULL,
  container TEXT, signature TEXT NOT NULL, doc TEXT, exported INTEGER NOT NULL,
  PRIMARY KEY (blob, ord)
) WITHOUT ROWID;
CREATE INDEX symbol_name ON symbol (name, blob);
CREATE TABLE import_of (
  blob INTEGER NOT NULL, ord INTEGER NOT NULL, module INTEGER NOT NULL, names TEXT NOT NULL, line INTEGER NOT NULL,
  PRIMARY KEY (blob, ord)
) WITHOUT ROWID;
CREATE INDEX import_module ON import_of (module, blob);
CREATE TABLE reference (
  name INTEGER NOT NULL, blob INTEGER NOT NULL, places TEXT NOT NULL,
  PRIMARY KEY (name, blob)
) WITHOUT ROWID;
CREATE INDEX reference_blob ON reference (blob);
CREATE TABLE doc (
  blob INTEGER NOT NULL, ord INTEGER NOT NULL, line INTEGER NOT NULL, end_line INTEGER NOT NULL, text TEXT NOT NULL, symbol TEXT,
  PRIMARY KEY (blob, ord)
) WITHOUT ROWID;
CREATE VIRTUAL TABLE trigram USING fts5(body, content='', contentless_delete=1, tokenize='trigram', detail='none');
CREATE VIRTUAL TABLE words USING fts5(names, docs, body, content='', contentless_delete=1, tokenize='porter unicode61');
CREATE TABLE tree (
  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, used_at INTEGER NOT NULL
);
CREATE TABLE path (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE tree_file (
  tree INTEGER NOT NULL, path INTEGER NOT NULL, blob INTEGER NOT NULL, PRIMARY KEY (tree, path)
) WITHOUT ROWID;
CREATE INDEX tree_file_blob ON tree_file (blob, tree);
CREATE TABLE tree_skip (
  tree INTEGER NOT NULL, path INTEGER NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (tree, path)
) WITHOUT ROWID;
`;
