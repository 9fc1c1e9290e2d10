-- One row a model call: the same call found again, in whichever file, meets its own row.
CREATE TABLE ledger_usage (
  key TEXT PRIMARY KEY,
  client TEXT NOT NULL,
  session TEXT NOT NULL,
  agent TEXT,
  role TEXT,
  node TEXT,
  model TEXT,
  at INTEGER,
  input INTEGER,
  output INTEGER,
  cache_read INTEGER,
  cache_write INTEGER,
  cache_write_long INTEGER,
  context INTEGER
) STRICT;
CREATE INDEX ledger_usage_by_time ON ledger_usage (at);

-- How far each source was read, by which one knows that it is still the same.
CREATE TABLE ledger_sources (
  source TEXT PRIMARY KEY,
  client TEXT NOT NULL,
  cursor TEXT NOT NULL,
  unreadable INTEGER NOT NULL,
  read_at INTEGER NOT NULL
) STRICT;
