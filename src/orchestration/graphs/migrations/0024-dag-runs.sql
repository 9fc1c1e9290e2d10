CREATE TABLE dag_runs (
  id TEXT PRIMARY KEY,
  session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  project TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  status TEXT NOT NULL,
  reason TEXT,
  options TEXT NOT NULL,
  version INTEGER NOT NULL,
  nodes INTEGER NOT NULL,
  since INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX dag_runs_by_project ON dag_runs (project, id);
CREATE INDEX dag_runs_by_session ON dag_runs (session);
CREATE INDEX dag_runs_by_status ON dag_runs (status);

-- The graph: version 1 holds every node, each later one what an adjustment changed, so that it grows with the changes.
CREATE TABLE dag_versions (
  dag TEXT NOT NULL REFERENCES dag_runs (id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  change TEXT NOT NULL,
  PRIMARY KEY (dag, version)
) STRICT;

-- One row a node that was ever touched: the last the engine recorded of it. A run is restored from these.
CREATE TABLE dag_nodes (
  dag TEXT NOT NULL REFERENCES dag_runs (id) ON DELETE CASCADE,
  node TEXT NOT NULL,
  state TEXT NOT NULL,
  record TEXT NOT NULL,
  started_at INTEGER,
  ended_at INTEGER,
  PRIMARY KEY (dag, node)
) STRICT, WITHOUT ROWID;

CREATE TABLE dag_outputs (
  dag TEXT NOT NULL REFERENCES dag_runs (id) ON DELETE CASCADE,
  node TEXT NOT NULL,
  output TEXT NOT NULL,
  PRIMARY KEY (dag, node)
) STRICT;

-- Process groups of attempts: recorded before they run, ended before their node is dispatched again.
CREATE TABLE dag_processes (
  pid INTEGER NOT NULL,
  started_at TEXT NOT NULL,
  dag TEXT NOT NULL REFERENCES dag_runs (id) ON DELETE CASCADE,
  PRIMARY KEY (pid, started_at)
) STRICT, WITHOUT ROWID;
CREATE INDEX dag_processes_by_dag ON dag_processes (dag);
