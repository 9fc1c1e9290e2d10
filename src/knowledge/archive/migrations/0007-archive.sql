-- What the past was: one entry per ended run for now; other categories follow.
CREATE TABLE archive_entries (
  id TEXT PRIMARY KEY,
  project TEXT NOT NULL REFERENCES projects (id),
  session TEXT NOT NULL,
  category TEXT NOT NULL,
  title TEXT NOT NULL,
  content TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX archive_by_project ON archive_entries (project, at, id);
