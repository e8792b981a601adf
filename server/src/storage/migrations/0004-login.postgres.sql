ALTER TABLE sites ADD COLUMN scheme text NOT NULL DEFAULT 'https' CHECK (scheme IN ('https', 'http'));
-- Null: every language that there is.
ALTER TABLE sites ADD COLUMN languages text;
ALTER TABLE sites ADD COLUMN sign_up_policy text NOT NULL DEFAULT 'members_only'
  CHECK (sign_up_policy IN ('members_only', 'allowed_domains', 'open'));
ALTER TABLE sites ADD COLUMN sign_up_domains text NOT NULL DEFAULT '[]';
ALTER TABLE sites ADD COLUMN colour text;
ALTER TABLE sites ADD COLUMN logo_version text;

-- Proxies choose a site by its host name and hand on the port that the visitor wrote: a host name is one site's on every
-- port, or the visitor chose whose rules hold. On this machine itself ports tell sites apart.
CREATE UNIQUE INDEX sites_host ON sites (split_part(domain, ':', 1))
  WHERE split_part(domain, ':', 1) !~ '^localhost$|\.localhost$|^127\..*[0-9]$';

CREATE TABLE site_logos (
  site_id uuid NOT NULL PRIMARY KEY REFERENCES sites (id),
  media_type text NOT NULL,
  content text NOT NULL -- base 64
);

CREATE TABLE access_rules (
  site_id uuid NOT NULL PRIMARY KEY REFERENCES sites (id),
  rules text NOT NULL,
  updated_at timestamptz(3) NOT NULL
);

-- Everybody who asks for a login link has a row here, member or not; only a member's row is ever given a token.
CREATE TABLE login_links (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  email text COLLATE "C" NOT NULL,
  member_id uuid,
  token_hash text COLLATE "C",
  browser_hash text COLLATE "C",
  code text, -- until the mail is written
  code_hash text,
  tries integer NOT NULL DEFAULT 0,
  next_path text NOT NULL,
  language text NOT NULL,
  state text COLLATE "C" NOT NULL CHECK (state IN ('asked', 'answered')),
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, id)
);
CREATE UNIQUE INDEX login_links_token ON login_links (site_id, token_hash) WHERE token_hash IS NOT NULL;
CREATE UNIQUE INDEX login_links_browser ON login_links (site_id, browser_hash) WHERE browser_hash IS NOT NULL;
CREATE INDEX login_links_email ON login_links (site_id, email);
CREATE INDEX login_links_member ON login_links (site_id, member_id) WHERE member_id IS NOT NULL;
CREATE INDEX login_links_asked ON login_links (site_id, id) WHERE state = 'asked';
CREATE INDEX login_links_by_age ON login_links (site_id, created_at);

CREATE TABLE sessions (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  member_id uuid NOT NULL,
  token_hash text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  last_seen_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  user_agent text,
  client_address text,
  PRIMARY KEY (site_id, id),
  FOREIGN KEY (site_id, member_id) REFERENCES members (site_id, id)
);
CREATE UNIQUE INDEX sessions_token ON sessions (site_id, token_hash);
CREATE INDEX sessions_member ON sessions (site_id, member_id, id);
CREATE INDEX sessions_by_age ON sessions (site_id, expires_at);

CREATE TABLE mails (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('login_link')),
  recipient text NOT NULL,
  member_id uuid,
  login_link_id uuid,
  -- Null once nobody needs to read it again: a login link in it works for whoever reads it.
  content text,
  state text COLLATE "C" NOT NULL CHECK (state IN ('waiting', 'sent', 'kept', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3),
  last_error text,
  created_at timestamptz(3) NOT NULL,
  sent_at timestamptz(3),
  PRIMARY KEY (site_id, id)
);
CREATE INDEX mails_waiting ON mails (site_id, next_attempt_at) WHERE state = 'waiting';
CREATE INDEX mails_member ON mails (site_id, member_id) WHERE member_id IS NOT NULL;
CREATE INDEX mails_login_link ON mails (site_id, login_link_id) WHERE login_link_id IS NOT NULL;
CREATE INDEX mails_by_age ON mails (site_id, created_at);
