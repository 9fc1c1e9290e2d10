-- Versions of files that hooks and the watcher saw. Contents lie in files of the home, several in one (a pack): a row here
-- says where. No reference to agents or contents by key: an agent's name stays readable, and contents go when no version needs them.
CREATE TABLE file_versions (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  project TEXT NOT NULL,
  tree TEXT NOT NULL,
  path TEXT NOT NULL,
  seen_at INTEGER NOT NULL,
  seen TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('kept', 'absent', 'too-large')),
  hash TEXT,
  bytes INTEGER,
  mode INTEGER,
  agent TEXT,
  agent_name TEXT,
  agent_client TEXT,
  known_by TEXT NOT NULL,
  command TEXT,
  CHECK ((state = 'kept') = (hash IS NOT NULL))
) STRICT;
CREATE INDEX file_versions_by_path ON file_versions (tree, path, sequence);
CREATE INDEX file_versions_by_agent ON file_versions (agent, sequence) WHERE agent IS NOT NULL;
CREATE INDEX file_versions_by_project ON file_versions (project, sequence);
CREATE INDEX file_versions_by_time ON file_versions (seen_at);
CREATE INDEX file_versions_by_hash ON file_versions (hash) WHERE hash IS NOT NULL;

CREATE TABLE file_packs (name TEXT PRIMARY KEY, bytes INTEGER NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE file_contents (
  hash TEXT PRIMARY KEY,
  pack TEXT NOT NULL REFERENCES file_packs (name),
  start INTEGER NOT NULL,
  stored INTEGER NOT NULL,
  bytes INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX file_contents_by_pack ON file_contents (pack);
