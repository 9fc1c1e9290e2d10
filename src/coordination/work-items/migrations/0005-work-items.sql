CREATE TABLE work_items (
  id TEXT PRIMARY KEY,
  project TEXT NOT NULL REFERENCES projects (id),
  title TEXT NOT NULL,
  body TEXT,
  type TEXT NOT NULL,
  priority INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'in_progress', 'blocked', 'closed')),
  owner TEXT REFERENCES agents (id),
  claim_ttl_ms INTEGER,
  fencing_token INTEGER NOT NULL, -- grows with every new claim
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  closed_reason TEXT
) STRICT;
CREATE INDEX work_items_by_rank ON work_items (project, status, priority, id);
CREATE INDEX work_items_by_owner ON work_items (owner) WHERE owner IS NOT NULL;

CREATE TABLE work_item_dependencies (
  item TEXT NOT NULL REFERENCES work_items (id),
  depends_on TEXT NOT NULL REFERENCES work_items (id),
  PRIMARY KEY (item, depends_on)
) STRICT, WITHOUT ROWID;
CREATE INDEX work_item_dependents ON work_item_dependencies (depends_on);
