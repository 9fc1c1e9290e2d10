-- What the user lets pass for a while; the audit keeps who, when and why for ever.
CREATE TABLE guard_overrides (
  guard TEXT PRIMARY KEY,
  why TEXT NOT NULL,
  until INTEGER NOT NULL
) STRICT;
