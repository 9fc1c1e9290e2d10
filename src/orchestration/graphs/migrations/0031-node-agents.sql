-- The agent that carried out the last attempt of a node, such as the Engineer of a run's node.
ALTER TABLE dag_nodes ADD COLUMN agent TEXT;
