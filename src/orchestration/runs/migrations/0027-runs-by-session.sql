-- What a session is at is read from its runs.
CREATE INDEX runs_by_session ON runs (session);
