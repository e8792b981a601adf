-- The hosts of a site after its primary one, which is its domain (JSON).
ALTER TABLE sites ADD COLUMN further_hosts text NOT NULL DEFAULT '[]';

-- Every host of every site, to find the site of a host. Each host belongs to one site.
CREATE TABLE site_hosts (
  site_id uuid NOT NULL REFERENCES sites (id),
  domain text COLLATE "C" NOT NULL,
  PRIMARY KEY (site_id, domain)
);
CREATE UNIQUE INDEX site_hosts_domain ON site_hosts (domain);
-- Proxies choose a site by the host name and pass on the port of the request: a host name belongs to one host on every port.
-- On the local machine, sites differ by port.
CREATE UNIQUE INDEX site_hosts_name ON site_hosts (split_part(domain, ':', 1))
  WHERE split_part(domain, ':', 1) !~ '^localhost$|\.localhost$|^127\..*[0-9]$';
INSERT INTO site_hosts (site_id, domain) SELECT id, domain FROM sites WHERE domain IS NOT NULL;
DROP INDEX sites_host;

-- The session cookies of a session on the further hosts of its site.
CREATE TABLE session_hosts (
  site_id uuid NOT NULL,
  token_hash text COLLATE "C" NOT NULL,
  session_id uuid NOT NULL,
  domain text COLLATE "C" NOT NULL,
  PRIMARY KEY (site_id, token_hash),
  UNIQUE (site_id, session_id, domain),
  FOREIGN KEY (site_id, session_id) REFERENCES sessions (site_id, id) ON DELETE CASCADE
);

-- Tickets with which a browser carries a login from the primary host to another one.
CREATE TABLE host_tickets (
  site_id uuid NOT NULL,
  ticket_hash text COLLATE "C" NOT NULL,
  session_id uuid NOT NULL,
  domain text COLLATE "C" NOT NULL,
  browser_hash text COLLATE "C" NOT NULL,
  next_path text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, ticket_hash),
  FOREIGN KEY (site_id, session_id) REFERENCES sessions (site_id, id) ON DELETE CASCADE
);
CREATE INDEX host_tickets_session ON host_tickets (site_id, session_id);
CREATE INDEX host_tickets_expired ON host_tickets (expires_at);
