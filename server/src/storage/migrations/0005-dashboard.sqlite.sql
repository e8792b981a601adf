-- Operators are the members of one hidden site, their realm. It is the only one with a host of its own: that of
-- GATEHOUSE_PUBLIC_URL, written at each start.
ALTER TABLE sites ADD COLUMN realm_host TEXT;

-- What an operator, a member of the realm, may do on a site. Until the first time there, a site knows only what the
-- inviter wrote.
CREATE TABLE operator_roles (
  site_id TEXT NOT NULL REFERENCES sites (id),
  operator_id TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'support', 'viewer')),
  invited_name TEXT,
  session_id TEXT, -- that of the last time
  last_login_at TEXT,
  created_at TEXT NOT NULL,
  PRIMARY KEY (site_id, operator_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX operator_roles_operator ON operator_roles (operator_id, site_id);

-- With these the dashboard speaks to the API for one site: as long as the session and the role are there.
CREATE TABLE operator_tokens (
  site_id TEXT NOT NULL REFERENCES sites (id),
  hash TEXT NOT NULL,
  operator_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (site_id, hash),
  UNIQUE (hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX operator_tokens_by_age ON operator_tokens (site_id, expires_at);
CREATE INDEX operator_tokens_operator ON operator_tokens (site_id, operator_id);

-- What the first start prints. There is one at most: a later one takes its place.
CREATE TABLE welcome_tokens (
  site_id TEXT NOT NULL PRIMARY KEY REFERENCES sites (id),
  hash TEXT NOT NULL,
  expires_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE passkeys (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  credential_id TEXT NOT NULL,
  public_key TEXT NOT NULL, -- base64url
  counter INTEGER NOT NULL,
  transports TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at TEXT NOT NULL,
  last_used_at TEXT,
  PRIMARY KEY (site_id, id),
  FOREIGN KEY (site_id, member_id) REFERENCES members (site_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX passkeys_credential_id ON passkeys (site_id, credential_id);
CREATE INDEX passkeys_member ON passkeys (site_id, member_id, id);

-- What a passkey has to sign, by the browser that it was given to.
CREATE TABLE passkey_challenges (
  site_id TEXT NOT NULL REFERENCES sites (id),
  browser_hash TEXT NOT NULL,
  purpose TEXT NOT NULL CHECK (purpose IN ('add', 'log_in')),
  challenge TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (site_id, browser_hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX passkey_challenges_by_age ON passkey_challenges (site_id, expires_at);

-- Where the request came from that made an event happen.
ALTER TABLE events ADD COLUMN client_address TEXT;
CREATE INDEX events_by_actor_type ON events (site_id, actor_type, position);
CREATE INDEX events_by_actor ON events (site_id, actor_id, position) WHERE actor_id IS NOT NULL;
CREATE INDEX events_logins ON events (site_id, occurred_at) WHERE type = 'member.login';

-- Mails are made anew, as a check of a column cannot be changed.
CREATE TABLE mails_before AS SELECT * FROM mails;
DROP TABLE mails;
CREATE TABLE mails (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('login_link', 'invitation')),
  recipient TEXT NOT NULL,
  member_id TEXT,
  login_link_id TEXT,
  subject TEXT NOT NULL, -- without the code that logs in
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
INSERT INTO mails (site_id, id, kind, recipient, member_id, login_link_id, subject, content, state, attempts,
                   next_attempt_at, last_error, created_at, sent_at)
SELECT site_id, id, kind, recipient, member_id, login_link_id, '', content, state, attempts, next_attempt_at, last_error,
       created_at, sent_at
FROM mails_before;
DROP TABLE mails_before;
CREATE INDEX mails_waiting ON mails (site_id, next_attempt_at) WHERE state = 'waiting';
CREATE INDEX mails_member ON mails (site_id, member_id) WHERE member_id IS NOT NULL;
CREATE INDEX mails_login_link ON mails (site_id, login_link_id) WHERE login_link_id IS NOT NULL;
CREATE INDEX mails_by_state ON mails (site_id, state, id);
CREATE INDEX mails_by_age ON mails (site_id, created_at);

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('events', 'events_by_actor_type', '1000000 100000 30000 1'),
  ('events', 'events_by_actor', '1000000 100000 2000 1'),
  ('events', 'events_logins', '100000 10000 1'),
  ('mails', 'mails', '100000 10000 1'),
  ('mails', 'mails_waiting', '1000 100 2'),
  ('mails', 'mails_member', '100000 10000 3'),
  ('mails', 'mails_login_link', '100000 10000 1'),
  ('mails', 'mails_by_state', '100000 10000 2500 1'),
  ('mails', 'mails_by_age', '100000 10000 2');
