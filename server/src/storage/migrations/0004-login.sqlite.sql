ALTER TABLE sites ADD COLUMN scheme TEXT NOT NULL DEFAULT 'https' CHECK (scheme IN ('https', 'http'));
-- Null: every language that there is.
ALTER TABLE sites ADD COLUMN languages TEXT;
ALTER TABLE sites ADD COLUMN sign_up_policy TEXT NOT NULL DEFAULT 'members_only'
  CHECK (sign_up_policy IN ('members_only', 'allowed_domains', 'open'));
ALTER TABLE sites ADD COLUMN sign_up_domains TEXT NOT NULL DEFAULT '[]';
ALTER TABLE sites ADD COLUMN colour TEXT;
ALTER TABLE sites ADD COLUMN logo_version TEXT;

-- Proxies choose a site by its host name and hand on the port that the visitor wrote: a host name is one site's on every
-- port, or the visitor chose whose rules hold. On this machine itself ports tell sites apart.
CREATE UNIQUE INDEX sites_host ON sites (substr(domain, 1, instr(domain || ':', ':') - 1))
  WHERE NOT (domain || ':' GLOB 'localhost:*' OR domain || ':' GLOB '*.localhost:*' OR domain || ':' GLOB '127.*[0-9]:*');

CREATE TABLE site_logos (
  site_id TEXT NOT NULL PRIMARY KEY REFERENCES sites (id),
  media_type TEXT NOT NULL,
  content TEXT NOT NULL -- base 64
) STRICT;

CREATE TABLE access_rules (
  site_id TEXT NOT NULL PRIMARY KEY REFERENCES sites (id),
  rules TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

-- Everybody who asks for a login link has a row here, member or not; only a member's row is ever given a token.
CREATE TABLE login_links (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  email TEXT NOT NULL,
  member_id TEXT,
  token_hash TEXT,
  browser_hash TEXT,
  code TEXT, -- until the mail is written
  code_hash TEXT,
  tries INTEGER NOT NULL DEFAULT 0,
  next_path TEXT NOT NULL,
  language TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('asked', 'answered')),
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (site_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX login_links_token ON login_links (site_id, token_hash) WHERE token_hash IS NOT NULL;
CREATE UNIQUE INDEX login_links_browser ON login_links (site_id, browser_hash) WHERE browser_hash IS NOT NULL;
CREATE INDEX login_links_email ON login_links (site_id, email);
CREATE INDEX login_links_member ON login_links (site_id, member_id) WHERE member_id IS NOT NULL;
CREATE INDEX login_links_asked ON login_links (site_id, id) WHERE state = 'asked';
CREATE INDEX login_links_by_age ON login_links (site_id, created_at);

CREATE TABLE sessions (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  token_hash TEXT NOT NULL,
  created_at TEXT NOT NULL,
  last_seen_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  user_agent TEXT,
  client_address TEXT,
  PRIMARY KEY (site_id, id),
  FOREIGN KEY (site_id, member_id) REFERENCES members (site_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX sessions_token ON sessions (site_id, token_hash);
CREATE INDEX sessions_member ON sessions (site_id, member_id, id);
CREATE INDEX sessions_by_age ON sessions (site_id, expires_at);

CREATE TABLE mails (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('login_link')),
  recipient TEXT NOT NULL,
  member_id TEXT,
  login_link_id TEXT,
  -- Null once nobody needs to read it again: a login link in it works for whoever reads it.
  content TEXT,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'sent', 'kept', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at TEXT,
  last_error TEXT,
  created_at TEXT NOT NULL,
  sent_at TEXT,
  PRIMARY KEY (site_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX mails_waiting ON mails (site_id, next_attempt_at) WHERE state = 'waiting';
CREATE INDEX mails_member ON mails (site_id, member_id) WHERE member_id IS NOT NULL;
CREATE INDEX mails_login_link ON mails (site_id, login_link_id) WHERE login_link_id IS NOT NULL;
CREATE INDEX mails_by_age ON mails (site_id, created_at);

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('login_links', 'login_links', '100000 1000 1'),
  ('login_links', 'login_links_token', '100000 1000 1'),
  ('login_links', 'login_links_browser', '100000 1000 1'),
  ('login_links', 'login_links_email', '100000 1000 2'),
  ('login_links', 'login_links_member', '100000 1000 2'),
  ('login_links', 'login_links_asked', '1000 100 1'),
  ('login_links', 'login_links_by_age', '100000 1000 2'),
  ('sessions', 'sessions', '1000000 100000 1'),
  ('sessions', 'sessions_token', '1000000 100000 1'),
  ('sessions', 'sessions_member', '1000000 100000 3 1'),
  ('sessions', 'sessions_by_age', '1000000 100000 2'),
  ('mails', 'mails', '100000 10000 1'),
  ('mails', 'mails_waiting', '1000 100 2'),
  ('mails', 'mails_member', '100000 10000 3'),
  ('mails', 'mails_login_link', '100000 10000 1'),
  ('mails', 'mails_by_age', '100000 10000 2');
