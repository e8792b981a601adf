-- Login providers.
-- usable from: 0001-schema
-- Whether it has login providers: a site without one asks for none.
ALTER TABLE sites ADD COLUMN has_login_providers INTEGER NOT NULL DEFAULT 0 CHECK (has_login_providers IN (0, 1));
-- A server where members have an account with which they can log in.
CREATE TABLE login_providers (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  issuer TEXT NOT NULL,
  client_id TEXT NOT NULL,
  sealed_secret TEXT NOT NULL, -- encrypted
  settings TEXT NOT NULL, -- JSON: what only some types have
  email_trust TEXT NOT NULL CHECK (email_trust IN ('claim', 'never', 'always')),
  groups_claim TEXT,
  group_map TEXT NOT NULL, -- JSON: access groups by values of the claim
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (site_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX login_providers_issuer ON login_providers (site_id, issuer);

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('login_providers', 'login_providers', '1000 10 1'),
  ('login_providers', 'login_providers_issuer', '1000 10 1');
