-- Commands that passed a hook although nobody could know what they write.
ALTER TABLE health_components ADD COLUMN unguarded INTEGER NOT NULL DEFAULT 0;
