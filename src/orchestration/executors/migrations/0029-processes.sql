-- Process groups that Sylk started for runs, graphs, checks and prompts: recorded before they run, ended before their work is
-- dispatched again and when a daemon starts after a crash. One table instead of one for each kind of work.
CREATE TABLE processes (
  pid INTEGER NOT NULL,
  started_at TEXT NOT NULL,
  owner TEXT NOT NULL,
  PRIMARY KEY (pid, started_at)
) STRICT, WITHOUT ROWID;
CREATE INDEX processes_by_owner ON processes (owner);

INSERT OR IGNORE INTO processes (pid, started_at, owner) SELECT pid, started_at, run FROM run_processes;
INSERT OR IGNORE INTO processes (pid, started_at, owner) SELECT pid, started_at, dag FROM dag_processes;
INSERT OR IGNORE INTO processes (pid, started_at, owner) SELECT pid, started_at, 'checks' FROM check_processes;
DROP TABLE run_processes;
DROP TABLE dag_processes;
DROP TABLE check_processes;
