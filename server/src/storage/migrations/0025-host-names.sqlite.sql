-- A name with and without `www.` belongs to one site.
-- usable from: 0022-setup-tokens
-- bare_name: the host without `www.` and port. reserved_name: the same, in one row of each site and name, so that it is
-- unique; null where sites had the name before it was. claim_reported_at: when the site was last told that another one
-- was refused the name.
ALTER TABLE site_hosts ADD COLUMN bare_name TEXT;
ALTER TABLE site_hosts ADD COLUMN reserved_name TEXT;
ALTER TABLE site_hosts ADD COLUMN claim_reported_at TEXT;

-- On the local machine, sites differ by port.
UPDATE site_hosts SET bare_name = CASE
  WHEN domain || ':' GLOB 'localhost:*' OR domain || ':' GLOB '*.localhost:*' OR domain || ':' GLOB '127.*[0-9]:*' THEN domain
  ELSE (
    WITH RECURSIVE names (name) AS (
      SELECT substr(domain, 1, instr(domain || ':', ':') - 1)
      UNION ALL SELECT substr(name, 5) FROM names WHERE name GLOB 'www.*'
    )
    SELECT name FROM names WHERE name NOT GLOB 'www.*'
  ) END;

CREATE INDEX site_hosts_bare_name ON site_hosts (bare_name);
CREATE UNIQUE INDEX site_hosts_reserved_name ON site_hosts (reserved_name);

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('site_hosts', 'site_hosts_bare_name', '1000 1'),
  ('site_hosts', 'site_hosts_reserved_name', '1000 1');
