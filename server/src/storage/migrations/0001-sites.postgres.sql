CREATE TABLE sites (
  id uuid PRIMARY KEY,
  slug text COLLATE "C" NOT NULL,
  title text NOT NULL,
  domain text COLLATE "C",
  status text NOT NULL CHECK (status IN ('active', 'suspended')),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT sites_slug UNIQUE (slug)
);
-- Partial, so that the domain is no key of the row: who changes it does not keep others from writing on the site.
CREATE UNIQUE INDEX sites_domain ON sites (domain) WHERE domain IS NOT NULL;

CREATE TABLE api_keys (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  name text NOT NULL,
  hash text COLLATE "C" NOT NULL,
  ending text NOT NULL,
  permissions text NOT NULL,
  rate_limit integer,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  replaced_by uuid,
  PRIMARY KEY (site_id, id),
  CONSTRAINT api_keys_hash UNIQUE (hash)
);

CREATE TABLE idempotency_keys (
  site_id uuid NOT NULL REFERENCES sites (id),
  key text COLLATE "C" NOT NULL,
  fingerprint text NOT NULL,
  answer text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (site_id, created_at);

-- Items that left a list less than a day ago, so that a cursor on one of them still finds its place.
CREATE TABLE departed_items (
  site_id uuid NOT NULL REFERENCES sites (id),
  list text COLLATE "C" NOT NULL,
  item_id uuid NOT NULL,
  sort_keys text,
  departed_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, list, item_id)
);
CREATE INDEX departed_items_by_age ON departed_items (site_id, departed_at);
