-- Who was granted what since a token: asked when somebody comes back to a path whose hold had ended.
CREATE INDEX reservations_by_token ON reservations (project, fencing_token);
