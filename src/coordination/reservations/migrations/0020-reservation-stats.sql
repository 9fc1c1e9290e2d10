-- What a hold cost those around it: how long its holder had waited, and how often it was taken back in grace.
ALTER TABLE reservations ADD COLUMN waited_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE reservations ADD COLUMN taken_back INTEGER NOT NULL DEFAULT 0;
CREATE INDEX reservations_by_grant ON reservations (project, acquired_at);

-- Waits that ended without a grant leave no reservation; counted by hour, and gone with the reservations of that time.
CREATE TABLE reservation_waits (
  project TEXT NOT NULL REFERENCES projects (id),
  hour INTEGER NOT NULL,
  path TEXT NOT NULL,
  given_up INTEGER NOT NULL,
  waited_ms INTEGER NOT NULL,
  PRIMARY KEY (project, hour, path)
) STRICT, WITHOUT ROWID;
