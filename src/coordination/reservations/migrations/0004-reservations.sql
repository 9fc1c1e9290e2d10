-- Ended rows stay for a while, so that a late renewal learns that its lease is lost instead of "not found".
CREATE TABLE reservations (
  id TEXT PRIMARY KEY,
  project TEXT NOT NULL REFERENCES projects (id),
  tree TEXT NOT NULL,
  scope TEXT NOT NULL CHECK (scope IN ('tree', 'repository')),
  holder TEXT NOT NULL REFERENCES agents (id),
  mode TEXT NOT NULL CHECK (mode IN ('exclusive', 'shared')),
  paths TEXT NOT NULL,
  patterns TEXT NOT NULL,
  reason TEXT,
  ttl_ms INTEGER NOT NULL,
  fencing_token INTEGER NOT NULL,
  acquired_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
CREATE INDEX reservations_live ON reservations (project, holder) WHERE ended_at IS NULL;
CREATE INDEX reservations_ended ON reservations (ended_at) WHERE ended_at IS NOT NULL;

-- Fencing tokens grow over all reservations of a project.
CREATE TABLE fencing_tokens (project TEXT PRIMARY KEY REFERENCES projects (id), last INTEGER NOT NULL) STRICT, WITHOUT ROWID;
