-- Why a person was or will be told: a row for each cause, so that none is told twice, also after a restart.
CREATE TABLE notices (
  cause TEXT PRIMARY KEY,
  first_at INTEGER NOT NULL,
  sent_at INTEGER, -- NULL: it came in quiet hours and waits for their end
  failure TEXT -- why telling it failed, after every attempt
) STRICT;
