-- Work items that came from another tracker: the id they had there, and the line they came with, as it was.
ALTER TABLE work_items ADD COLUMN external_id TEXT;
CREATE UNIQUE INDEX work_items_by_external_id ON work_items (project, external_id) WHERE external_id IS NOT NULL;

CREATE TABLE work_item_imports (
  item TEXT PRIMARY KEY REFERENCES work_items (id) ON DELETE CASCADE,
  line TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Links whose other end has not been imported yet.
CREATE TABLE work_item_open_links (
  project TEXT NOT NULL REFERENCES projects (id),
  other TEXT NOT NULL, -- the id it has in the other tracker
  kind TEXT NOT NULL,
  item TEXT NOT NULL REFERENCES work_items (id) ON DELETE CASCADE,
  PRIMARY KEY (project, other, kind, item)
) STRICT, WITHOUT ROWID;
CREATE INDEX work_item_open_links_by_item ON work_item_open_links (item);
