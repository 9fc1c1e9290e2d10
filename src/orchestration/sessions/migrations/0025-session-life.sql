ALTER TABLE sessions ADD COLUMN description TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN branch TEXT;
ALTER TABLE sessions ADD COLUMN metadata TEXT NOT NULL DEFAULT '{}';
-- Made for a run that named no session; counts as open only while one of its runs is.
ALTER TABLE sessions ADD COLUMN implicit INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN reason TEXT;
ALTER TABLE sessions ADD COLUMN started_at INTEGER;
ALTER TABLE sessions ADD COLUMN paused_at INTEGER;
ALTER TABLE sessions ADD COLUMN suspended_at INTEGER;
ALTER TABLE sessions ADD COLUMN ended_at INTEGER;
-- Until now every session was made by a run.
UPDATE sessions SET implicit = 1 WHERE id IN (SELECT session FROM runs);
CREATE INDEX sessions_by_state ON sessions (state);

-- What a session holds in memory, as it was when it was last put down; one each.
CREATE TABLE session_snapshots (
  session TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  schema INTEGER NOT NULL,
  checksum TEXT NOT NULL,
  content TEXT NOT NULL,
  saved_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Which session each client looks at.
CREATE TABLE session_focus (
  client TEXT PRIMARY KEY,
  session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX session_focus_by_session ON session_focus (session);

-- Preferences that a session gave to all sessions of its project.
CREATE TABLE promoted_preferences (
  project TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (project, name)
) STRICT, WITHOUT ROWID;
