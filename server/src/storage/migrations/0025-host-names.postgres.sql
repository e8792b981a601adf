-- A name with and without `www.` belongs to one site.
-- usable from: 0022-setup-tokens
-- step: transaction
-- bare_name: the host without `www.` and port. reserved_name: the same, in one row of each site and name, so that it is
-- unique; null where sites had the name before it was. claim_reported_at: when the site was last told that another one
-- was refused the name.
ALTER TABLE site_hosts ADD COLUMN bare_name text COLLATE "C", ADD COLUMN reserved_name text COLLATE "C",
  ADD COLUMN claim_reported_at timestamptz(3);

-- step: batches of site_hosts by site_id, domain
-- On the local machine, sites differ by port.
UPDATE site_hosts
SET bare_name = CASE WHEN domain ~ '^(.+\.)?localhost(:[0-9]+)?$|^127(\.[0-9]+){3}(:[0-9]+)?$' THEN domain
  ELSE regexp_replace(split_part(domain, ':', 1), '^(www\.)+', '') END
WHERE bare_name IS NULL AND :batch;

-- step: concurrently
CREATE INDEX CONCURRENTLY site_hosts_bare_name ON site_hosts (bare_name);

-- step: concurrently
CREATE UNIQUE INDEX CONCURRENTLY site_hosts_reserved_name ON site_hosts (reserved_name);
