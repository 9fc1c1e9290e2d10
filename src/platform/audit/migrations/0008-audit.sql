-- Privileged acts, chained: each row's hash covers all its columns and, through "previous", every row before it.
CREATE TABLE audit (
  sequence INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  project TEXT,
  details TEXT NOT NULL,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE INDEX audit_by_action ON audit (action, sequence);

-- A guard against our own mistakes; whoever means harm can drop it, and is found by the chain.
CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit is only ever appended to'); END;
CREATE TRIGGER audit_is_never_removed BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit is only ever appended to'); END;
