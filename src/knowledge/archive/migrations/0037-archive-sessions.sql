-- Entries by session. An entry of an earlier release without a session belongs to the session "default".
CREATE TABLE archive (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  project TEXT NOT NULL REFERENCES projects (id),
  session TEXT NOT NULL CHECK (session <> ''),
  category TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('entry', 'fact', 'summary')),
  source TEXT NOT NULL,
  status TEXT,
  title TEXT NOT NULL,
  words TEXT NOT NULL, -- what a search finds it by, besides its title
  content TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  workflow TEXT, -- key of the definition that this was a run of
  failure TEXT, -- the same for failures that look alike
  kept INTEGER NOT NULL DEFAULT 0,
  archived INTEGER NOT NULL DEFAULT 0,
  promotion TEXT, -- reason, who and when, as JSON; NULL: only its session sees it
  at INTEGER NOT NULL,
  -- Words of the index besides those of the texts, so that a search meets only what it may see. Each ends with a digit: the
  -- stemmer leaves those as they are, so that two ids are never the same word.
  scope TEXT NOT NULL GENERATED ALWAYS AS (
    'p' || substr(project, 5) || '0 s' || replace(session, 'ses_', '') || '0 c' || lower(hex(category)) || '0 o'
      || lower(hex(source)) || '0' || CASE WHEN promotion IS NULL THEN '' ELSE ' g' || substr(project, 5) || '0' END
  ) VIRTUAL
) STRICT;
CREATE INDEX archive_by_time ON archive (project, at, number);
CREATE INDEX archive_by_session ON archive (project, session, at, number);
CREATE INDEX archive_by_category ON archive (project, category, at, number);
CREATE INDEX archive_promoted ON archive (project, at, number) WHERE promotion IS NOT NULL;
CREATE INDEX archive_failures ON archive (project, failure) WHERE failure IS NOT NULL;
CREATE INDEX archive_workflows_of ON archive (project, workflow) WHERE workflow IS NOT NULL;

CREATE VIRTUAL TABLE archive_search USING fts5 (
  title, words, scope, content = 'archive', content_rowid = 'number', tokenize = 'porter unicode61'
);
-- What is removed leaves the index at once, not when its segments are merged one day.
INSERT INTO archive_search (archive_search, rank) VALUES ('secure-delete', 1);
CREATE TRIGGER archive_search_insert AFTER INSERT ON archive BEGIN
  INSERT INTO archive_search (rowid, title, words, scope) VALUES (new.number, new.title, new.words, new.scope);
END;
CREATE TRIGGER archive_search_delete AFTER DELETE ON archive BEGIN
  INSERT INTO archive_search (archive_search, rowid, title, words, scope)
  VALUES ('delete', old.number, old.title, old.words, old.scope);
END;
CREATE TRIGGER archive_search_update AFTER UPDATE OF title, words, promotion, session, category, source ON archive BEGIN
  INSERT INTO archive_search (archive_search, rowid, title, words, scope)
  VALUES ('delete', old.number, old.title, old.words, old.scope);
  INSERT INTO archive_search (rowid, title, words, scope) VALUES (new.number, new.title, new.words, new.scope);
END;

INSERT INTO archive (id, project, session, category, kind, source, status, title, words, content, tokens, at)
SELECT id, project, CASE WHEN session = '' THEN 'default' ELSE session END, category, 'entry', 'orchestrator',
  content ->> '$.status', title, substr(content, 1, 4000), content, (length(title) + length(content) + 3) / 4, at
FROM archive_entries ORDER BY at, id;
DROP TABLE archive_entries;

-- What was run: one row for each definition, however often it was run.
CREATE TABLE archive_workflows (
  project TEXT NOT NULL REFERENCES projects (id),
  key TEXT NOT NULL,
  session TEXT NOT NULL,
  title TEXT NOT NULL,
  definition TEXT NOT NULL,
  executions INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (project, key)
) STRICT, WITHOUT ROWID;

-- Model calls and context that were not needed.
CREATE TABLE archive_savings (
  number INTEGER PRIMARY KEY,
  project TEXT NOT NULL REFERENCES projects (id),
  session TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('cache-hit', 'skipped-work', 'consultation')),
  what TEXT NOT NULL,
  avoided INTEGER NOT NULL, -- tokens of the model call that was not made
  is_measured INTEGER NOT NULL, -- the avoided call's cost is on record
  context INTEGER NOT NULL, -- tokens of context that were not sent; always an estimate
  serving INTEGER NOT NULL, -- tokens that the answer itself cost
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX archive_savings_of ON archive_savings (project, session, at);

CREATE TABLE archive_snapshots (
  id TEXT PRIMARY KEY,
  project TEXT NOT NULL REFERENCES projects (id),
  session TEXT NOT NULL,
  entries INTEGER NOT NULL,
  data TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX archive_snapshots_of ON archive_snapshots (project, session, at);

-- Where a caller's entries go that name no session, if it has chosen one.
CREATE TABLE archive_defaults (
  project TEXT NOT NULL REFERENCES projects (id),
  client TEXT NOT NULL,
  session TEXT NOT NULL,
  PRIMARY KEY (project, client)
) STRICT, WITHOUT ROWID;

-- How often which part of the archive was asked, for the report of what it saves.
CREATE TABLE archive_queries (
  project TEXT NOT NULL REFERENCES projects (id),
  session TEXT NOT NULL,
  scope TEXT NOT NULL CHECK (scope IN ('session', 'sessions', 'all')),
  asked INTEGER NOT NULL,
  found INTEGER NOT NULL,
  cached INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (project, session, scope)
) STRICT, WITHOUT ROWID;
