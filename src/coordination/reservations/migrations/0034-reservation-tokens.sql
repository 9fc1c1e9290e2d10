-- Every fencing token of a reservation, with how many of its paths and patterns it was issued for: those are only ever
-- added at the end. Of a reservation that was widened before, only the newest token is known to be good for all of it.
ALTER TABLE reservations ADD COLUMN tokens TEXT NOT NULL DEFAULT '[]';
UPDATE reservations SET tokens =
  json_array(json_array(fencing_token, json_array_length(paths), json_array_length(patterns)));
ALTER TABLE reservations DROP COLUMN first_token;
