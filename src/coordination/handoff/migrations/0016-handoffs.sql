-- What was in an agent's hands when it went; the latest time only. What it did before is read from the log.
CREATE TABLE handoffs (
  agent TEXT PRIMARY KEY REFERENCES agents (id) ON DELETE CASCADE,
  left_at INTEGER NOT NULL,
  reason TEXT NOT NULL,
  sequence INTEGER NOT NULL, -- end of the log at that moment
  belongings TEXT NOT NULL,
  homecoming TEXT -- what it got back and lost when it came again
) STRICT, WITHOUT ROWID;
