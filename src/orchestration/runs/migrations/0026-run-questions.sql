-- A question of a run: which node waits for it, until when, what counts then, and what was answered.
ALTER TABLE approvals ADD COLUMN node TEXT;
ALTER TABLE approvals ADD COLUMN deadline_at INTEGER;
ALTER TABLE approvals ADD COLUMN default_answer TEXT;
ALTER TABLE approvals ADD COLUMN answer TEXT;
