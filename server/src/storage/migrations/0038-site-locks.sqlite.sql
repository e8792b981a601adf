-- usable from: 0022-setup-tokens
-- What transactions of a site lock. SQLite has a single writer, but both stores have the same statements.
CREATE TABLE site_locks (
  site_id TEXT NOT NULL REFERENCES sites (id),
  subject TEXT NOT NULL,
  PRIMARY KEY (site_id, subject)
) STRICT, WITHOUT ROWID;
