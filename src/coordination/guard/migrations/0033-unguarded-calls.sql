-- Tool calls that were not guarded: unknown write targets, unknown programs, hooks without an answer. One row for each program
-- of an agent in a tree, so that the agent is told once, also after a restart. No reference to agents by key: a session may
-- not be registered yet.
CREATE TABLE unguarded_calls (
  tree TEXT NOT NULL,
  agent TEXT NOT NULL,
  program TEXT NOT NULL,
  project TEXT,
  agent_name TEXT NOT NULL,
  what TEXT NOT NULL,
  times INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  at_stake INTEGER NOT NULL,
  told_at INTEGER,
  settled INTEGER NOT NULL,
  PRIMARY KEY (tree, agent, program)
) STRICT, WITHOUT ROWID;
CREATE INDEX unguarded_calls_by_time ON unguarded_calls (last_at);
