-- One row per report. Reports of one finding share its root: the first of them, which also holds what became of it.
CREATE TABLE findings (
  id TEXT PRIMARY KEY,
  root TEXT NOT NULL,
  project TEXT NOT NULL REFERENCES projects (id),
  agent TEXT NOT NULL REFERENCES agents (id),
  model TEXT,
  severity TEXT NOT NULL CHECK (severity IN ('blocking', 'important', 'informational')),
  level TEXT,
  category TEXT NOT NULL,
  summary TEXT NOT NULL,
  evidence TEXT,
  thread TEXT,
  run TEXT,
  published_at INTEGER NOT NULL,
  -- of the root only:
  worst TEXT NOT NULL, -- the gravest severity among the reports
  status TEXT NOT NULL CHECK (status IN ('open', 'accepted', 'discarded', 'fixed')),
  marked_by TEXT REFERENCES agents (id),
  marked_why TEXT,
  marked_at INTEGER,
  work_item TEXT REFERENCES work_items (id)
) STRICT;
CREATE INDEX findings_by_root ON findings (root);
CREATE INDEX findings_by_project ON findings (project, id) WHERE id = root;
CREATE INDEX findings_blocking ON findings (project, id)
  WHERE id = root AND worst = 'blocking' AND status IN ('open', 'accepted');
CREATE INDEX findings_by_thread ON findings (project, thread) WHERE thread IS NOT NULL;
CREATE INDEX findings_by_run ON findings (run) WHERE run IS NOT NULL;
CREATE INDEX findings_by_agent ON findings (agent, published_at);
CREATE INDEX findings_by_marker ON findings (marked_by) WHERE marked_by IS NOT NULL;
CREATE UNIQUE INDEX findings_by_work_item ON findings (work_item) WHERE work_item IS NOT NULL;

CREATE TABLE finding_places (
  finding TEXT NOT NULL REFERENCES findings (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  path TEXT NOT NULL,
  line INTEGER,
  PRIMARY KEY (finding, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX finding_places_by_path ON finding_places (path, line);

-- What an agent looks into now; another announcement takes its place.
CREATE TABLE investigations (
  agent TEXT PRIMARY KEY REFERENCES agents (id) ON DELETE CASCADE,
  project TEXT NOT NULL REFERENCES projects (id),
  topic TEXT NOT NULL,
  files TEXT NOT NULL,
  started_at INTEGER NOT NULL
) STRICT;
CREATE INDEX investigations_by_project ON investigations (project);
