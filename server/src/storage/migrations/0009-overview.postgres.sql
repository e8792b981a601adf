-- How the numbers of a site have changed, and when API keys were last used.
-- usable from: 0001-schema
-- step: transaction
-- Whether the dashboard shows the steps of setting up the site.
ALTER TABLE sites ADD COLUMN shows_set_up_steps boolean NOT NULL DEFAULT true;
-- step: transaction
-- By how much the numbers of members have changed in the quarter of an hour; "created" counts those who still exist. Null: the
-- version before has counted, and the number of members has changed by "created".
ALTER TABLE activity_counts
  ADD COLUMN members integer,
  ADD COLUMN blocked integer NOT NULL DEFAULT 0,
  ADD COLUMN paid integer NOT NULL DEFAULT 0,
  ADD COLUMN verified integer NOT NULL DEFAULT 0;
-- step: batches of sites by id
-- The version before has purged activity after 40 days, and counted none after 35. The rows that it has left are complete.
INSERT INTO activity_counts (site_id, starts_at, created, logins)
SELECT site_id, date_bin('15 minutes', at, '2000-01-01T00:00:00Z'::timestamptz), sum(created), sum(logins)
FROM (
  SELECT site_id, created_at AS at, 1 AS created, 0 AS logins FROM members
  UNION ALL
  SELECT site_id, occurred_at, 0, 1 FROM events WHERE type = 'member.login'
) activity
WHERE at >= now() - interval '105 days' AND at < now() - interval '35 days'
  AND site_id IN (SELECT id FROM sites WHERE :batch)
GROUP BY 1, 2
ON CONFLICT (site_id, starts_at) DO NOTHING;
-- step: transaction
-- When an API key was last used, to the hour. Apart from the keys, which Citus has whole on every node.
CREATE TABLE api_key_uses (
  site_id uuid NOT NULL REFERENCES sites (id),
  key_id uuid NOT NULL,
  used_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, key_id),
  FOREIGN KEY (site_id, key_id) REFERENCES api_keys (site_id, id)
);
-- step: concurrently
-- Whether an email to the same recipient was sent after one that failed.
CREATE INDEX CONCURRENTLY emails_sent_to ON emails (site_id, recipient, id) WHERE status = 'sent';
