-- The cursor before a run's first event: whoever follows it need not read what happened earlier.
ALTER TABLE runs ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
