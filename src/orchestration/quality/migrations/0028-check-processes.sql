-- Process groups of checks outside of runs: recorded before they run, ended when a daemon starts after a crash.
CREATE TABLE check_processes (
  pid INTEGER NOT NULL,
  started_at TEXT NOT NULL,
  PRIMARY KEY (pid, started_at)
) STRICT, WITHOUT ROWID;
