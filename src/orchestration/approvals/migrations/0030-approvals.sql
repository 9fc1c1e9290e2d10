-- One table of approvals for runs and graphs: `graph` is the id of either, and the project is kept with it.
CREATE TABLE all_approvals (
  id TEXT PRIMARY KEY,
  graph TEXT NOT NULL,
  project TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  question TEXT NOT NULL,
  details TEXT NOT NULL,
  status TEXT NOT NULL,
  reason TEXT,
  created_at INTEGER NOT NULL,
  decided_at INTEGER,
  node TEXT,
  deadline_at INTEGER,
  default_answer TEXT,
  answer TEXT
) STRICT;
INSERT INTO all_approvals
  SELECT a.id, a.run, runs.project, a.kind, a.question, a.details, a.status, a.reason, a.created_at, a.decided_at, a.node,
    a.deadline_at, a.default_answer, a.answer
  FROM approvals a JOIN runs ON runs.id = a.run;
DROP TABLE approvals;
ALTER TABLE all_approvals RENAME TO approvals;
CREATE INDEX approvals_by_graph ON approvals (graph, id);
CREATE INDEX approvals_waiting ON approvals (project) WHERE status = 'waiting';

-- Nodes of graphs that waited for approval before there was a row for them.
INSERT INTO approvals (id, graph, project, kind, question, details, status, created_at, node)
  SELECT 'apr_' || substr(lower(hex(randomblob(11))), 1, 22), n.dag, d.project, 'node', n.record ->> '$.block.question', '[]',
    'waiting', d.updated_at, n.node
  FROM dag_nodes n JOIN dag_runs d ON d.id = n.dag
  WHERE n.state = 'blocked' AND n.record ->> '$.block.on' = 'approval' AND d.status IN ('running', 'paused');

CREATE TRIGGER approvals_leave_with_their_graph AFTER DELETE ON dag_runs BEGIN
  DELETE FROM approvals WHERE graph = OLD.id;
END;
