-- Where the paths and patterns of live reservations stand: a path by its name, a glob by the folder before its first
-- wildcard. Whatever can overlap a wanted path stands at that path, at a folder above it, or below the wanted folder.
CREATE TABLE reservation_places (
  project TEXT NOT NULL REFERENCES projects (id),
  place TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('path', 'glob')),
  source TEXT NOT NULL,
  reservation TEXT NOT NULL REFERENCES reservations (id) ON DELETE CASCADE
) STRICT;
CREATE INDEX reservation_places_by_place ON reservation_places (project, place);
CREATE INDEX reservation_places_by_reservation ON reservation_places (reservation);

-- Those that live already stand at the root: compared more often than needed until they end, and never missed.
INSERT INTO reservation_places (project, place, kind, source, reservation)
  SELECT project, '', 'path', json_each.value, reservations.id FROM reservations, json_each(paths) WHERE ended_at IS NULL
  UNION ALL
  SELECT project, '', 'glob', json_each.value, reservations.id FROM reservations, json_each(patterns) WHERE ended_at IS NULL;

-- The token of the grant, which stays good when widening has brought a newer one; and what ended it.
ALTER TABLE reservations ADD COLUMN first_token INTEGER NOT NULL DEFAULT 0;
ALTER TABLE reservations ADD COLUMN ended_by TEXT;
UPDATE reservations SET first_token = fencing_token;
