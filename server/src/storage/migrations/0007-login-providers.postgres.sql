-- Login providers.
-- usable from: 0001-schema
-- step: transaction
-- Whether it has login providers: a site without one asks for none.
ALTER TABLE sites ADD COLUMN has_login_providers boolean NOT NULL DEFAULT false;
-- step: transaction
-- A server where members have an account with which they can log in.
CREATE TABLE login_providers (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  type text COLLATE "C" NOT NULL,
  name text NOT NULL,
  issuer text COLLATE "C" NOT NULL,
  client_id text NOT NULL,
  sealed_secret text NOT NULL, -- encrypted
  settings text NOT NULL, -- JSON: what only some types have
  email_trust text COLLATE "C" NOT NULL CHECK (email_trust IN ('claim', 'never', 'always')),
  groups_claim text,
  group_map text NOT NULL, -- JSON: access groups by values of the claim
  enabled boolean NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, id)
);
CREATE UNIQUE INDEX login_providers_issuer ON login_providers (site_id, issuer);
