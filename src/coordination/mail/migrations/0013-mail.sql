-- One row per message, however many receive it: those of a topic or of everyone are found when they read.
CREATE TABLE messages (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT, -- the order of delivery; never used twice
  id TEXT NOT NULL UNIQUE,
  project TEXT NOT NULL REFERENCES projects (id),
  sender TEXT NOT NULL REFERENCES agents (id),
  audience TEXT NOT NULL CHECK (audience IN ('agents', 'topic', 'everyone')),
  topic TEXT,
  channel TEXT NOT NULL CHECK (channel IN ('requests', 'notices')),
  kind TEXT NOT NULL,
  content TEXT NOT NULL,
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  importance TEXT NOT NULL,
  thread TEXT NOT NULL,
  reply_to TEXT,
  ack_due_at INTEGER,
  sent_at INTEGER NOT NULL,
  scope TEXT NOT NULL, -- for the search: project, thread and topic, a word each
  readers TEXT NOT NULL -- for the search: the project where all may read it, else each agent who may, a word each
) STRICT;
CREATE INDEX messages_to_everyone ON messages (project, channel, sequence) WHERE audience = 'everyone';
CREATE INDEX messages_by_topic ON messages (project, topic, channel, sequence) WHERE audience = 'topic';
CREATE INDEX messages_by_thread ON messages (thread, sequence);
CREATE INDEX messages_by_project ON messages (project, sequence);
CREATE INDEX messages_of_finding ON messages (content ->> '$.finding') WHERE kind = 'finding';
CREATE INDEX messages_by_age ON messages (sent_at);
CREATE INDEX messages_by_sender ON messages (sender);

-- Receivers of direct messages.
CREATE TABLE message_receivers (
  agent TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  channel TEXT NOT NULL,
  sequence INTEGER NOT NULL REFERENCES messages (sequence) ON DELETE CASCADE,
  ack_due_at INTEGER,
  acked_at INTEGER,
  PRIMARY KEY (agent, channel, sequence)
) STRICT, WITHOUT ROWID;
CREATE INDEX message_receivers_by_message ON message_receivers (sequence);
CREATE INDEX message_receivers_due ON message_receivers (ack_due_at) WHERE ack_due_at IS NOT NULL AND acked_at IS NULL;

CREATE TABLE mailboxes (
  agent TEXT PRIMARY KEY REFERENCES agents (id) ON DELETE CASCADE,
  starts_after INTEGER NOT NULL, -- what was sent to everyone before the agent was registered is not for it
  requests_cursor INTEGER NOT NULL DEFAULT 0,
  notices_cursor INTEGER NOT NULL DEFAULT 0,
  policy TEXT NOT NULL DEFAULT 'open'
) STRICT;
INSERT INTO mailboxes (agent, starts_after) SELECT id, 0 FROM agents;
-- By the table itself: whoever adds an agent cannot forget its mailbox, and it begins in the same transaction.
CREATE TRIGGER mailbox_of_agent AFTER INSERT ON agents BEGIN
  INSERT INTO mailboxes (agent, starts_after) VALUES (new.id, (SELECT coalesce(max(sequence), 0) FROM messages));
END;

CREATE TABLE topic_subscriptions (
  agent TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  topic TEXT NOT NULL,
  since INTEGER NOT NULL,
  until INTEGER, -- NULL: still subscribed; what came before the end is delivered all the same
  PRIMARY KEY (agent, topic, since)
) STRICT, WITHOUT ROWID;

CREATE TABLE contacts (
  agent TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  contact TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  PRIMARY KEY (agent, contact)
) STRICT, WITHOUT ROWID;

CREATE VIRTUAL TABLE message_search USING fts5 (
  subject, body, scope, readers, content = 'messages', content_rowid = 'sequence', tokenize = 'unicode61'
);
-- What is forgotten leaves the index at once, not when its segments are merged one day.
INSERT INTO message_search (message_search, rank) VALUES ('secure-delete', 1);
CREATE TRIGGER message_search_insert AFTER INSERT ON messages BEGIN
  INSERT INTO message_search (rowid, subject, body, scope, readers)
  VALUES (new.sequence, new.subject, new.body, new.scope, new.readers);
END;
CREATE TRIGGER message_search_delete AFTER DELETE ON messages BEGIN
  INSERT INTO message_search (message_search, rowid, subject, body, scope, readers)
  VALUES ('delete', old.sequence, old.subject, old.body, old.scope, old.readers);
END;
