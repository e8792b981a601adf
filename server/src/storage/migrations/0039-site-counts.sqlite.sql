-- usable from: 0022-setup-tokens
-- The numbers of members of each site, changed with its events. They hold once every event up to the position is counted;
-- those of a version that does not count are counted afterwards.
ALTER TABLE event_heads ADD COLUMN counted INTEGER NOT NULL DEFAULT 0;
ALTER TABLE event_heads ADD COLUMN members INTEGER NOT NULL DEFAULT 0;
ALTER TABLE event_heads ADD COLUMN blocked INTEGER NOT NULL DEFAULT 0;
ALTER TABLE event_heads ADD COLUMN paid INTEGER NOT NULL DEFAULT 0;
ALTER TABLE event_heads ADD COLUMN verified INTEGER NOT NULL DEFAULT 0;
-- What happened on a site, by quarters of an hour.
CREATE TABLE activity_counts (
  site_id TEXT NOT NULL REFERENCES sites (id),
  starts_at TEXT NOT NULL,
  created INTEGER NOT NULL,
  logins INTEGER NOT NULL,
  PRIMARY KEY (site_id, starts_at)
) STRICT, WITHOUT ROWID;
CREATE INDEX activity_counts_by_age ON activity_counts (starts_at);

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('activity_counts', 'activity_counts', '100000 1000 1'),
  ('activity_counts', 'activity_counts_by_age', '100000 20');
