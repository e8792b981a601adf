CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

CREATE TABLE access_groups (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  name text COLLATE "C" NOT NULL,
  search_text text COLLATE "C" NOT NULL,
  description text,
  type text COLLATE "C" NOT NULL CHECK (type IN ('custom', 'scope')),
  collection text COLLATE "C" CHECK ((type = 'scope') = (collection IS NOT NULL)),
  -- Every membership, those past their time and not yet removed included.
  membership_count integer NOT NULL DEFAULT 0 CHECK (membership_count >= 0),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, id),
  CONSTRAINT access_groups_name UNIQUE (site_id, name)
);
CREATE UNIQUE INDEX access_groups_collection ON access_groups (site_id, collection) WHERE collection IS NOT NULL;

CREATE TABLE members (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  email text COLLATE "C" NOT NULL,
  display_name text,
  name_key text COLLATE "C", -- the display name, folded, to sort by
  search_text text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL CHECK (status IN ('active', 'blocked')),
  verified boolean,
  paid boolean,
  registered_at timestamptz(3),
  last_login_at timestamptz(3),
  created_at timestamptz(3) NOT NULL, -- the time within the id, so the order of ids is the order of creation
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, id),
  CONSTRAINT members_email UNIQUE (site_id, email)
);
CREATE INDEX members_by_update ON members (site_id, updated_at, id);
CREATE INDEX members_by_registration ON members (site_id, registered_at, id);
CREATE INDEX members_by_login ON members (site_id, last_login_at, id);
CREATE INDEX members_by_name ON members (site_id, name_key, id);
CREATE INDEX members_by_state ON members (site_id, status, paid, verified, id);
CREATE INDEX members_text ON members USING gin (site_id, search_text gin_trgm_ops);

CREATE TABLE memberships (
  site_id uuid NOT NULL REFERENCES sites (id),
  group_id uuid NOT NULL,
  member_id uuid NOT NULL,
  source text COLLATE "C" NOT NULL,
  added_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  PRIMARY KEY (site_id, group_id, member_id),
  FOREIGN KEY (site_id, group_id) REFERENCES access_groups (site_id, id),
  FOREIGN KEY (site_id, member_id) REFERENCES members (site_id, id)
);
CREATE INDEX memberships_by_member ON memberships (site_id, member_id, group_id, expires_at);
CREATE INDEX memberships_by_expiry ON memberships (site_id, group_id, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX memberships_due ON memberships (site_id, expires_at) WHERE expires_at IS NOT NULL;
