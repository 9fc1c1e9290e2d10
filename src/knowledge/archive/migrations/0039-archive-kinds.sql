-- Briefings ask for the latest facts and summaries.
CREATE INDEX archive_by_kind ON archive (project, kind, at, number);
