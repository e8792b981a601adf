-- A browser that a member has logged in with, known again by a signed cookie. It gives no access: only a budget of login
-- requests that nobody else can use up.
CREATE TABLE known_browsers (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  member_id uuid NOT NULL,
  token_hash text COLLATE "C" NOT NULL, -- the same for all members who log in with one browser
  last_login_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, id),
  FOREIGN KEY (site_id, member_id) REFERENCES members (site_id, id)
);
CREATE UNIQUE INDEX known_browsers_token ON known_browsers (site_id, token_hash, member_id);
CREATE INDEX known_browsers_member ON known_browsers (site_id, member_id, last_login_at);
CREATE INDEX known_browsers_by_age ON known_browsers (site_id, last_login_at);

-- Signs those cookies. Made at the first login on a site.
CREATE TABLE known_browser_keys (
  site_id uuid NOT NULL PRIMARY KEY REFERENCES sites (id),
  signing_key text COLLATE "C" NOT NULL
);

-- The known browser that requested the link, if it was one.
ALTER TABLE login_links ADD COLUMN known_browser_id uuid;
