CREATE TABLE access_groups (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  search_text TEXT NOT NULL,
  description TEXT,
  type TEXT NOT NULL CHECK (type IN ('custom', 'scope')),
  collection TEXT CHECK ((type = 'scope') = (collection IS NOT NULL)),
  -- Every membership, those past their time and not yet removed included.
  membership_count INTEGER NOT NULL DEFAULT 0 CHECK (membership_count >= 0),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (site_id, id),
  UNIQUE (site_id, name)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX access_groups_collection ON access_groups (site_id, collection) WHERE collection IS NOT NULL;

CREATE TABLE members (
  number INTEGER PRIMARY KEY, -- part of the key of the text index; a bare rowid may change when the file is compacted
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  email TEXT NOT NULL,
  display_name TEXT,
  name_key TEXT, -- the display name, folded, to sort by
  search_text TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'blocked')),
  verified INTEGER CHECK (verified IN (0, 1)),
  paid INTEGER CHECK (paid IN (0, 1)),
  registered_at TEXT,
  last_login_at TEXT,
  created_at TEXT NOT NULL, -- the time within the id, so the order of ids is the order of creation
  updated_at TEXT NOT NULL,
  UNIQUE (site_id, id),
  UNIQUE (site_id, email)
) STRICT;
CREATE INDEX members_by_update ON members (site_id, updated_at, id);
CREATE INDEX members_by_registration ON members (site_id, registered_at, id);
CREATE INDEX members_by_login ON members (site_id, last_login_at, id);
CREATE INDEX members_by_name ON members (site_id, name_key, id);
CREATE INDEX members_by_state ON members (site_id, status, paid, verified, id);

-- Every piece of three letters of every search text. A row's key is its site's number and its own, so that one
-- site's members are one range of keys and a search never walks through another site's.
CREATE VIRTUAL TABLE members_text USING fts5 (
  search_text, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);
CREATE TRIGGER members_text_insert AFTER INSERT ON members BEGIN
  INSERT INTO members_text (rowid, search_text)
  VALUES (((SELECT number FROM sites WHERE id = NEW.site_id) << 40) | NEW.number, NEW.search_text);
END;
CREATE TRIGGER members_text_delete AFTER DELETE ON members BEGIN
  DELETE FROM members_text WHERE rowid = ((SELECT number FROM sites WHERE id = OLD.site_id) << 40) | OLD.number;
END;
CREATE TRIGGER members_text_update AFTER UPDATE OF search_text ON members WHEN NEW.search_text <> OLD.search_text BEGIN
  UPDATE members_text SET search_text = NEW.search_text
  WHERE rowid = ((SELECT number FROM sites WHERE id = NEW.site_id) << 40) | NEW.number;
END;

CREATE TABLE memberships (
  site_id TEXT NOT NULL REFERENCES sites (id),
  group_id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  source TEXT NOT NULL,
  added_at TEXT NOT NULL,
  expires_at TEXT,
  PRIMARY KEY (site_id, group_id, member_id),
  FOREIGN KEY (site_id, group_id) REFERENCES access_groups (site_id, id),
  FOREIGN KEY (site_id, member_id) REFERENCES members (site_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX memberships_by_member ON memberships (site_id, member_id, group_id, expires_at);
CREATE INDEX memberships_by_expiry ON memberships (site_id, group_id, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX memberships_due ON memberships (site_id, expires_at) WHERE expires_at IS NOT NULL;

-- As for the events: without figures SQLite may walk every membership of a site to find those of one member.
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('memberships', 'memberships', '1000000 100000 1000 1'),
  ('memberships', 'memberships_by_member', '1000000 100000 3 1 1'),
  ('memberships', 'memberships_by_expiry', '100000 10000 100 1'),
  ('memberships', 'memberships_due', '100000 10000 2');
