-- usable from: 0028-sealed-webhook-urls
-- The URL of a webhook is encrypted from now on, and its host is stored beside it. A program cannot encrypt in SQL: the
-- service encrypts the URLs of before, which have no host here, when it starts.
ALTER TABLE webhooks ADD COLUMN host TEXT;
CREATE INDEX webhooks_plain ON webhooks (site_id) WHERE host IS NULL;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('webhooks', 'webhooks_plain', '1 1');
