-- usable from: 0028-sealed-webhook-urls
-- step: transaction
-- The URL of a webhook is encrypted from now on, and its host is stored beside it. A program cannot encrypt in SQL: the
-- service encrypts the URLs of before, which have no host here, when it starts.
ALTER TABLE webhooks ADD COLUMN host text;
-- step: concurrently
CREATE INDEX CONCURRENTLY webhooks_plain ON webhooks (site_id) WHERE host IS NULL;
