-- How the numbers of a site have changed, and when API keys were last used.
-- usable from: 0001-schema
-- Whether the dashboard shows the steps of setting up the site.
ALTER TABLE sites ADD COLUMN shows_set_up_steps INTEGER NOT NULL DEFAULT 1 CHECK (shows_set_up_steps IN (0, 1));
-- By how much the numbers of members have changed in the quarter of an hour; "created" counts those who still exist. Null: the
-- version before has counted, and the number of members has changed by "created".
ALTER TABLE activity_counts ADD COLUMN members INTEGER;
ALTER TABLE activity_counts ADD COLUMN blocked INTEGER NOT NULL DEFAULT 0;
ALTER TABLE activity_counts ADD COLUMN paid INTEGER NOT NULL DEFAULT 0;
ALTER TABLE activity_counts ADD COLUMN verified INTEGER NOT NULL DEFAULT 0;
-- The version before has purged activity after 40 days, and counted none after 35. The rows that it has left are complete.
INSERT INTO activity_counts (site_id, starts_at, created, logins)
SELECT site_id, substr(at, 1, 14) || printf('%02d', CAST(substr(at, 15, 2) AS INTEGER) / 15 * 15) || ':00.000Z',
       sum(created), sum(logins)
FROM (
  SELECT site_id, created_at AS at, 1 AS created, 0 AS logins FROM members
  UNION ALL
  SELECT site_id, occurred_at, 0, 1 FROM events WHERE type = 'member.login'
) activity
WHERE at >= strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-105 days') AND at < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-35 days')
GROUP BY 1, 2
ON CONFLICT (site_id, starts_at) DO NOTHING;
-- When an API key was last used, to the hour. Apart from the keys, which Citus has whole on every node.
CREATE TABLE api_key_uses (
  site_id TEXT NOT NULL REFERENCES sites (id),
  key_id TEXT NOT NULL,
  used_at TEXT NOT NULL,
  PRIMARY KEY (site_id, key_id),
  FOREIGN KEY (site_id, key_id) REFERENCES api_keys (site_id, id)
) STRICT, WITHOUT ROWID;
-- Whether an email to the same recipient was sent after one that failed.
CREATE INDEX emails_sent_to ON emails (site_id, recipient, id) WHERE status = 'sent';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('api_key_uses', 'api_key_uses', '1000 10 1'),
  ('emails', 'emails_sent_to', '100000 1000 2 1');
