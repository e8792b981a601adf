-- The hosts of a site after its primary one, which is its domain (JSON).
ALTER TABLE sites ADD COLUMN further_hosts TEXT NOT NULL DEFAULT '[]';

-- Every host of every site, to find the site of a host. Each host belongs to one site.
CREATE TABLE site_hosts (
  site_id TEXT NOT NULL REFERENCES sites (id),
  domain TEXT NOT NULL,
  PRIMARY KEY (site_id, domain)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX site_hosts_domain ON site_hosts (domain);
-- Proxies choose a site by the host name and pass on the port of the request: a host name belongs to one host on every port.
-- On the local machine, sites differ by port.
CREATE UNIQUE INDEX site_hosts_name ON site_hosts (substr(domain, 1, instr(domain || ':', ':') - 1))
  WHERE NOT (domain || ':' GLOB 'localhost:*' OR domain || ':' GLOB '*.localhost:*' OR domain || ':' GLOB '127.*[0-9]:*');
INSERT INTO site_hosts (site_id, domain) SELECT id, domain FROM sites WHERE domain IS NOT NULL;
DROP INDEX sites_host;

-- The session cookies of a session on the further hosts of its site.
CREATE TABLE session_hosts (
  site_id TEXT NOT NULL,
  token_hash TEXT NOT NULL,
  session_id TEXT NOT NULL,
  domain TEXT NOT NULL,
  PRIMARY KEY (site_id, token_hash),
  UNIQUE (site_id, session_id, domain),
  FOREIGN KEY (site_id, session_id) REFERENCES sessions (site_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Tickets with which a browser carries a login from the primary host to another one.
CREATE TABLE host_tickets (
  site_id TEXT NOT NULL,
  ticket_hash TEXT NOT NULL,
  session_id TEXT NOT NULL,
  domain TEXT NOT NULL,
  browser_hash TEXT NOT NULL,
  next_path TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (site_id, ticket_hash),
  FOREIGN KEY (site_id, session_id) REFERENCES sessions (site_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX host_tickets_session ON host_tickets (site_id, session_id);
CREATE INDEX host_tickets_expired ON host_tickets (expires_at);

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('site_hosts', 'site_hosts', '1000 2 1'),
  ('site_hosts', 'site_hosts_domain', '1000 1'),
  ('session_hosts', 'session_hosts', '1000000 10000 1'),
  ('session_hosts', 'sqlite_autoindex_session_hosts_2', '1000000 10000 1 1'),
  ('host_tickets', 'host_tickets', '1000 100 1'),
  ('host_tickets', 'host_tickets_session', '1000 100 1'),
  ('host_tickets', 'host_tickets_expired', '1000 10');
