-- Who asked the holder of a live reservation to release it; gone with the reservation.
CREATE TABLE release_requests (
  reservation TEXT NOT NULL REFERENCES reservations (id) ON DELETE CASCADE,
  requester TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  urgency TEXT NOT NULL CHECK (urgency IN ('normal', 'urgent')),
  reason TEXT,
  state TEXT NOT NULL CHECK (state IN ('open', 'acknowledged', 'deferred')),
  eta_ms INTEGER,
  asked_at INTEGER NOT NULL,
  PRIMARY KEY (reservation, requester)
) STRICT, WITHOUT ROWID;
CREATE INDEX release_requests_by_requester ON release_requests (requester);
