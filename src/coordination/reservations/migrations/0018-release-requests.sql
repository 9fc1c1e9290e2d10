-- Who asked the holder of a live reservation to release it; gone with the reservation.
CREATE TABLE release_requests (
  reservation TEXT NOT NULL REFERENCES reservations (id),
  requester TEXT NOT NULL REFERENCES agents (id),
  urgency TEXT NOT NULL CHECK (urgency IN ('normal', 'urgent')),
  reason TEXT,
  state TEXT NOT NULL CHECK (state IN ('open', 'acknowledged', 'deferred')),
  eta_ms INTEGER,
  asked_at INTEGER NOT NULL,
  PRIMARY KEY (reservation, requester)
) STRICT, WITHOUT ROWID;
