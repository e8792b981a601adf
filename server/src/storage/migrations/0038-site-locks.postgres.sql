-- usable from: 0022-setup-tokens
-- What transactions of a site lock instead of its rows in tables that Citus has whole on every node: a row of the site's
-- own is on one node, so that no other site waits for it.
CREATE TABLE site_locks (
  site_id uuid NOT NULL REFERENCES sites (id),
  subject text COLLATE "C" NOT NULL,
  PRIMARY KEY (site_id, subject)
);
