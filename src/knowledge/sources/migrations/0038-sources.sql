-- Sources of research: what was added, the documents of each, and their text in passages that together are the whole text.
CREATE TABLE sources (
  id TEXT PRIMARY KEY,
  project TEXT NOT NULL REFERENCES projects (id),
  kind TEXT NOT NULL,
  location TEXT NOT NULL,
  title TEXT NOT NULL,
  -- reading: not searched yet; ready; leaving: being removed, not searched any more
  state TEXT NOT NULL,
  documents INTEGER NOT NULL,
  passages INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  quality REAL NOT NULL,
  notes TEXT NOT NULL,
  added_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sources_by_project ON sources (project, state, id);

CREATE TABLE source_documents (
  id INTEGER PRIMARY KEY,
  source TEXT NOT NULL REFERENCES sources (id),
  location TEXT NOT NULL,
  title TEXT NOT NULL,
  quality REAL NOT NULL
) STRICT;
CREATE INDEX source_documents_by_source ON source_documents (source);

CREATE TABLE source_passages (
  id INTEGER PRIMARY KEY,
  document INTEGER NOT NULL REFERENCES source_documents (id),
  start INTEGER NOT NULL, -- in characters of the document's text
  line INTEGER NOT NULL,
  title TEXT NOT NULL,
  heading TEXT NOT NULL,
  text TEXT NOT NULL,
  scope TEXT NOT NULL -- the project, for the index: a search meets its own project's text only
) STRICT;
CREATE INDEX source_passages_by_document ON source_passages (document, start);

CREATE TABLE source_vectors (
  passage INTEGER PRIMARY KEY REFERENCES source_passages (id) ON DELETE CASCADE,
  method TEXT NOT NULL,
  vector BLOB NOT NULL
) STRICT;

CREATE VIRTUAL TABLE source_search USING fts5 (
  title, heading, text, scope, content = 'source_passages', content_rowid = 'id', tokenize = 'porter unicode61'
);
-- What is removed leaves the index at once, not when its segments are merged one day.
INSERT INTO source_search (source_search, rank) VALUES ('secure-delete', 1);
CREATE TRIGGER source_search_insert AFTER INSERT ON source_passages BEGIN
  INSERT INTO source_search (rowid, title, heading, text, scope)
  VALUES (new.id, new.title, new.heading, new.text, new.scope);
END;
CREATE TRIGGER source_search_delete AFTER DELETE ON source_passages BEGIN
  INSERT INTO source_search (source_search, rowid, title, heading, text, scope)
  VALUES ('delete', old.id, old.title, old.heading, old.text, old.scope);
END;
