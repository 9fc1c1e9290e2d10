-- Removing an agent looks for its reservations, ended ones too: without an index that reads all of them, for each agent.
CREATE INDEX reservations_by_holder ON reservations (holder);
