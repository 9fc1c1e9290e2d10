CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  project TEXT NOT NULL REFERENCES projects (id),
  name TEXT NOT NULL,
  state TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_by_project ON sessions (project, id);

CREATE TABLE runs (
  id TEXT PRIMARY KEY,
  session TEXT NOT NULL REFERENCES sessions (id),
  project TEXT NOT NULL REFERENCES projects (id),
  request TEXT NOT NULL,
  status TEXT NOT NULL,
  reason TEXT,
  label TEXT,
  model TEXT,
  options TEXT NOT NULL,
  plan TEXT,
  workspace TEXT,
  commit_id TEXT,
  outcome TEXT NOT NULL,
  calls INTEGER NOT NULL DEFAULT 0,
  input_tokens INTEGER NOT NULL DEFAULT 0,
  output_tokens INTEGER NOT NULL DEFAULT 0,
  unknown_calls INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX runs_by_project ON runs (project, id);
CREATE INDEX runs_by_status ON runs (status);

CREATE TABLE run_nodes (
  id TEXT PRIMARY KEY,
  run TEXT NOT NULL REFERENCES runs (id),
  round INTEGER NOT NULL,
  position INTEGER NOT NULL,
  spec TEXT NOT NULL,
  state TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  agent TEXT,
  started_at INTEGER,
  ended_at INTEGER,
  error TEXT,
  record TEXT -- the engine's own facts, from which a run is restored
) STRICT;
CREATE INDEX run_nodes_by_run ON run_nodes (run, round, position);

CREATE TABLE run_checks (
  run TEXT NOT NULL REFERENCES runs (id),
  position INTEGER NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (run, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_findings (
  id TEXT PRIMARY KEY,
  run TEXT NOT NULL REFERENCES runs (id),
  data TEXT NOT NULL
) STRICT;
CREATE INDEX run_findings_by_run ON run_findings (run, id);

-- Process groups a run has started: recorded before they run, ended before their node is dispatched again.
CREATE TABLE run_processes (
  pid INTEGER NOT NULL,
  started_at TEXT NOT NULL,
  run TEXT NOT NULL REFERENCES runs (id),
  PRIMARY KEY (pid, started_at)
) STRICT, WITHOUT ROWID;

CREATE TABLE approvals (
  id TEXT PRIMARY KEY,
  run TEXT NOT NULL REFERENCES runs (id),
  kind TEXT NOT NULL,
  question TEXT NOT NULL,
  details TEXT NOT NULL,
  status TEXT NOT NULL,
  reason TEXT,
  created_at INTEGER NOT NULL,
  decided_at INTEGER
) STRICT;
CREATE INDEX approvals_by_run ON approvals (run, id);
