-- usable from: 0022-setup-tokens
-- The numbers of members of each site, changed with its events. They hold once every event up to the position is counted;
-- those of before, and of a version that does not count, are counted afterwards.
-- step: transaction
ALTER TABLE event_heads
  ADD COLUMN counted bigint NOT NULL DEFAULT 0,
  ADD COLUMN members integer NOT NULL DEFAULT 0,
  ADD COLUMN blocked integer NOT NULL DEFAULT 0,
  ADD COLUMN paid integer NOT NULL DEFAULT 0,
  ADD COLUMN verified integer NOT NULL DEFAULT 0;
-- step: transaction
-- What happened on a site, by quarters of an hour.
CREATE TABLE activity_counts (
  site_id uuid NOT NULL REFERENCES sites (id),
  starts_at timestamptz(3) NOT NULL,
  created integer NOT NULL,
  logins integer NOT NULL,
  PRIMARY KEY (site_id, starts_at)
) WITH (fillfactor = 50);
CREATE INDEX activity_counts_by_age ON activity_counts (starts_at);
