-- Facts in the order they were committed. AUTOINCREMENT: a sequence is never used twice, also after retention.
CREATE TABLE events (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL,
  version INTEGER NOT NULL,
  project TEXT NOT NULL,
  subject TEXT NOT NULL,
  at INTEGER NOT NULL,
  data TEXT NOT NULL
) STRICT;
CREATE INDEX events_by_project ON events (project, sequence);
