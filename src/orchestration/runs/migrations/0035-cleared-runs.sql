-- Whether a run's tree and branch are gone, and the commit by which its change was merged.
ALTER TABLE runs ADD COLUMN cleared INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN merged_as TEXT;
