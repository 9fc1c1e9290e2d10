-- What was counted of each component, for each agent it works for ('' for none).
CREATE TABLE health_components (
  kind TEXT NOT NULL,
  component TEXT NOT NULL,
  agent TEXT NOT NULL,
  agent_name TEXT NOT NULL,
  project TEXT,
  calls INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  timeouts INTEGER NOT NULL,
  degraded INTEGER NOT NULL,
  edits_without_read INTEGER NOT NULL,
  latency TEXT NOT NULL, -- JSON: count, sum, maximum, buckets
  last_error TEXT,
  last_failure_at INTEGER,
  last_report_at INTEGER NOT NULL,
  PRIMARY KEY (kind, component, agent)
) STRICT, WITHOUT ROWID;

-- The last hour's failures, so that an incident is recognised across a restart too.
CREATE TABLE health_failures (
  at INTEGER NOT NULL,
  project TEXT,
  failure TEXT NOT NULL -- JSON
) STRICT;
CREATE INDEX health_failures_by_time ON health_failures (at);

CREATE TABLE incidents (
  id TEXT PRIMARY KEY,
  key TEXT NOT NULL,
  rule TEXT NOT NULL CHECK (rule IN ('correlated', 'repeated', 'agent-failing')),
  cause TEXT NOT NULL,
  components TEXT NOT NULL, -- JSON
  projects TEXT NOT NULL, -- JSON
  failures INTEGER NOT NULL,
  last_error TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  last_failure_at INTEGER NOT NULL,
  escalated_at INTEGER,
  recovered_at INTEGER,
  resolved_at INTEGER,
  resolution TEXT CHECK (resolution IN ('quiet', 'silent', 'by-hand')),
  resolved_why TEXT
) STRICT;
CREATE UNIQUE INDEX incidents_open ON incidents (key) WHERE resolved_at IS NULL;

-- How far a file of outcomes was read; written with what was read from it.
CREATE TABLE health_intake (
  file TEXT PRIMARY KEY,
  bytes INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;
