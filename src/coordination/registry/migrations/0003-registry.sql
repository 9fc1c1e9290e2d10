-- A project is a repository, known by its git common directory.
CREATE TABLE projects (
  id TEXT PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  first_seen_at INTEGER NOT NULL
) STRICT;

-- One row per client session for ever: history keeps its name.
CREATE TABLE agents (
  id TEXT PRIMARY KEY,
  project TEXT NOT NULL REFERENCES projects (id),
  name TEXT NOT NULL,
  client TEXT NOT NULL,
  session_key TEXT NOT NULL,
  tree TEXT NOT NULL,
  capabilities TEXT NOT NULL,
  pid INTEGER,
  registered_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  offline_at INTEGER,
  ended_at INTEGER,
  UNIQUE (project, session_key),
  UNIQUE (project, name)
) STRICT;
CREATE INDEX agents_live ON agents (project) WHERE ended_at IS NULL AND offline_at IS NULL;

-- Tokens are stored hashed; revoking one removes its row.
CREATE TABLE tokens (
  hash TEXT PRIMARY KEY,
  agent TEXT REFERENCES agents (id), -- NULL: the user's own
  issued_at INTEGER NOT NULL
) STRICT;
CREATE INDEX tokens_by_agent ON tokens (agent, issued_at);
