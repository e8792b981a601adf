-- usable from: 0022-setup-tokens
-- The time zone in which the days of a site begin and end. Existing sites have had the days of UTC.
-- step: transaction
ALTER TABLE sites ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC';
