-- What a work item says besides its title, and what its owner is asked.
ALTER TABLE work_items ADD COLUMN labels TEXT NOT NULL DEFAULT '[]';
ALTER TABLE work_items ADD COLUMN parent TEXT REFERENCES work_items (id) ON DELETE SET NULL;
ALTER TABLE work_items ADD COLUMN blocked_reason TEXT;
ALTER TABLE work_items ADD COLUMN claimed_at INTEGER;
ALTER TABLE work_items ADD COLUMN stall_after_ms INTEGER;
ALTER TABLE work_items ADD COLUMN asked_at INTEGER;
ALTER TABLE work_items ADD COLUMN progress TEXT; -- the last report, as JSON
ALTER TABLE work_items ADD COLUMN stuck TEXT; -- JSON
ALTER TABLE work_items ADD COLUMN handoff_request TEXT; -- JSON
-- How many of the items it depends on are not closed: kept by the triggers below, so that `ready` reads an index alone.
ALTER TABLE work_items ADD COLUMN waits_for INTEGER NOT NULL DEFAULT 0;

CREATE TABLE work_item_links (
  item TEXT NOT NULL REFERENCES work_items (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('relates', 'discovered-from')),
  other TEXT NOT NULL REFERENCES work_items (id) ON DELETE CASCADE,
  PRIMARY KEY (item, kind, other)
) STRICT, WITHOUT ROWID;
CREATE INDEX work_item_links_by_other ON work_item_links (other);

CREATE TABLE work_item_progress (
  sequence INTEGER PRIMARY KEY,
  item TEXT NOT NULL REFERENCES work_items (id) ON DELETE CASCADE,
  report TEXT NOT NULL -- JSON
) STRICT;
CREATE INDEX work_item_progress_by_item ON work_item_progress (item, sequence);

-- What the last owner left to the next; one record for an item.
CREATE TABLE work_item_handoffs (
  item TEXT PRIMARY KEY REFERENCES work_items (id) ON DELETE CASCADE,
  record TEXT NOT NULL -- JSON
) STRICT, WITHOUT ROWID;

-- AUTOINCREMENT: a cursor must never meet a number again.
CREATE TABLE work_item_notices (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  agent TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  item TEXT NOT NULL REFERENCES work_items (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  by_agent TEXT NOT NULL, -- JSON, or '' when nobody in particular
  claim INTEGER NOT NULL, -- fencing token of the claim it is about
  text TEXT NOT NULL,
  at INTEGER NOT NULL,
  UNIQUE (agent, item, kind, by_agent, claim)
) STRICT;
CREATE INDEX work_item_notices_by_time ON work_item_notices (at);
CREATE INDEX work_item_notices_by_item ON work_item_notices (item);

-- Who finished what: by agent and type of item.
CREATE TABLE work_item_records (
  agent TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  type TEXT NOT NULL,
  done INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  done_ms INTEGER NOT NULL, -- time from claim to close, added up
  PRIMARY KEY (agent, type)
) STRICT, WITHOUT ROWID;

UPDATE work_items SET waits_for = (
  SELECT count(*) FROM work_item_dependencies JOIN work_items AS needed ON needed.id = depends_on
  WHERE item = work_items.id AND needed.status <> 'closed'
);
CREATE TRIGGER work_item_needs_another AFTER INSERT ON work_item_dependencies BEGIN
  UPDATE work_items SET waits_for = waits_for + 1
  WHERE id = new.item AND (SELECT status FROM work_items WHERE id = new.depends_on) <> 'closed';
END;
CREATE TRIGGER work_item_needs_one_less AFTER DELETE ON work_item_dependencies BEGIN
  UPDATE work_items SET waits_for = waits_for - 1
  WHERE id = old.item AND (SELECT status FROM work_items WHERE id = old.depends_on) <> 'closed';
END;
CREATE TRIGGER work_item_closes AFTER UPDATE OF status ON work_items
WHEN old.status <> 'closed' AND new.status = 'closed' BEGIN
  UPDATE work_items SET waits_for = waits_for - 1
  WHERE id IN (SELECT item FROM work_item_dependencies WHERE depends_on = new.id);
END;
CREATE TRIGGER work_item_reopens AFTER UPDATE OF status ON work_items
WHEN old.status = 'closed' AND new.status <> 'closed' BEGIN
  UPDATE work_items SET waits_for = waits_for + 1
  WHERE id IN (SELECT item FROM work_item_dependencies WHERE depends_on = new.id);
END;

DROP INDEX work_items_by_rank;
DROP INDEX work_items_by_owner;
CREATE INDEX work_items_by_status ON work_items (project, status, id);
CREATE INDEX work_items_open ON work_items (project, priority, created_at, id) WHERE status = 'open' AND waits_for = 0;
CREATE INDEX work_items_ownerless ON work_items (project, priority, created_at, id)
  WHERE status = 'in_progress' AND owner IS NULL AND waits_for = 0;
CREATE INDEX work_items_by_owner ON work_items (owner, claim_ttl_ms) WHERE owner IS NOT NULL;
CREATE INDEX work_items_stuck ON work_items (project) WHERE stuck IS NOT NULL;
CREATE INDEX work_items_by_parent ON work_items (parent) WHERE parent IS NOT NULL;
