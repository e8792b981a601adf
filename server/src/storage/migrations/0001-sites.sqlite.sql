CREATE TABLE sites (
  number INTEGER PRIMARY KEY, -- part of the keys of the text index, see 0003-members
  id TEXT NOT NULL,
  slug TEXT NOT NULL,
  title TEXT NOT NULL,
  domain TEXT,
  status TEXT NOT NULL CHECK (status IN ('active', 'suspended')),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (id),
  UNIQUE (slug),
  UNIQUE (domain)
) STRICT;

CREATE TABLE api_keys (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  hash TEXT NOT NULL,
  ending TEXT NOT NULL,
  permissions TEXT NOT NULL,
  rate_limit INTEGER,
  created_at TEXT NOT NULL,
  expires_at TEXT,
  revoked_at TEXT,
  replaced_by TEXT,
  PRIMARY KEY (site_id, id),
  UNIQUE (hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency_keys (
  site_id TEXT NOT NULL REFERENCES sites (id),
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  answer TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (site_id, key)
) STRICT;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (site_id, created_at);

-- Items that left a list less than a day ago, so that a cursor on one of them still finds its place.
CREATE TABLE departed_items (
  site_id TEXT NOT NULL REFERENCES sites (id),
  list TEXT NOT NULL,
  item_id TEXT NOT NULL,
  sort_keys TEXT,
  departed_at TEXT NOT NULL,
  PRIMARY KEY (site_id, list, item_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX departed_items_by_age ON departed_items (site_id, departed_at);
