-- Where an agent runs and whose sub-agent it is. `process_start` tells its process from a later one with the same pid; it
-- is set only while that process is watched.
ALTER TABLE agents ADD COLUMN parent TEXT REFERENCES agents (id) ON DELETE SET NULL;
ALTER TABLE agents ADD COLUMN process_start TEXT;
ALTER TABLE agents ADD COLUMN host TEXT;
ALTER TABLE agents ADD COLUMN branch TEXT;
-- Gone for longer than the retention time: only its name is left, for history.
ALTER TABLE agents ADD COLUMN compacted_at INTEGER;
CREATE INDEX agents_by_parent ON agents (parent) WHERE parent IS NOT NULL;
CREATE INDEX agents_with_process ON agents (pid) WHERE process_start IS NOT NULL;
CREATE INDEX agents_gone ON agents (coalesce(ended_at, offline_at)) WHERE compacted_at IS NULL;

-- Capabilities once more, to be found by; the agent's row keeps them in the order they were declared.
CREATE TABLE agent_capabilities (
  capability TEXT NOT NULL,
  agent TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  PRIMARY KEY (capability, agent)
) STRICT, WITHOUT ROWID;
CREATE INDEX agent_capabilities_by_agent ON agent_capabilities (agent);
INSERT OR IGNORE INTO agent_capabilities (capability, agent)
  SELECT value, agents.id FROM agents, json_each(agents.capabilities);
