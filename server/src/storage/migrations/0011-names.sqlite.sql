-- Standard words for tables, columns and states. Emails and login links are made anew, as a check of a column cannot be
-- changed.
CREATE TABLE emails (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('login_link', 'invitation')),
  recipient TEXT NOT NULL,
  member_id TEXT,
  login_link_id TEXT,
  subject TEXT NOT NULL, -- without the code that logs in
  -- Null once nobody needs to read it again: a login link in it works for whoever reads it.
  content TEXT,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'sent', 'not_sent', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at TEXT,
  last_error TEXT,
  created_at TEXT NOT NULL,
  sent_at TEXT,
  PRIMARY KEY (site_id, id)
) STRICT, WITHOUT ROWID;
INSERT INTO emails (site_id, id, kind, recipient, member_id, login_link_id, subject, content, state, attempts,
                    next_attempt_at, last_error, created_at, sent_at)
SELECT site_id, id, kind, recipient, member_id, login_link_id, subject, content,
       CASE state WHEN 'kept' THEN 'not_sent' ELSE state END, attempts, next_attempt_at, last_error, created_at, sent_at
FROM mails;
DROP TABLE mails;
CREATE INDEX emails_waiting ON emails (site_id, next_attempt_at) WHERE state = 'waiting';
CREATE INDEX emails_due ON emails (next_attempt_at, site_id) WHERE state = 'waiting';
CREATE INDEX emails_member ON emails (site_id, member_id) WHERE member_id IS NOT NULL;
CREATE INDEX emails_login_link ON emails (site_id, login_link_id) WHERE login_link_id IS NOT NULL;
CREATE INDEX emails_by_state ON emails (site_id, state, id);
CREATE INDEX emails_by_age ON emails (created_at);
CREATE INDEX emails_with_content ON emails (created_at) WHERE content IS NOT NULL;

-- Everybody who requests a login link has a row here, member or not; only a member's row is ever given a token.
ALTER TABLE login_links RENAME TO login_links_before;
CREATE TABLE login_links (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  email TEXT NOT NULL,
  member_id TEXT,
  token_hash TEXT,
  browser_hash TEXT,
  -- The known browser that requested the link, if it was one.
  known_browser_id TEXT,
  code TEXT, -- until the email is written
  code_hash TEXT,
  tries INTEGER NOT NULL DEFAULT 0,
  next_path TEXT NOT NULL,
  language TEXT NOT NULL,
  -- Where the login was requested, which is where the link leads; null for the site's domain.
  origin TEXT,
  state TEXT NOT NULL CHECK (state IN ('requested', 'answered')),
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (site_id, id)
) STRICT, WITHOUT ROWID;
INSERT INTO login_links (site_id, id, email, member_id, token_hash, browser_hash, known_browser_id, code, code_hash,
                         tries, next_path, language, origin, state, created_at, expires_at)
SELECT site_id, id, email, member_id, token_hash, browser_hash, known_browser_id, code, code_hash, tries, next_path,
       language, origin, CASE state WHEN 'asked' THEN 'requested' ELSE state END, created_at, expires_at
FROM login_links_before;
DROP TABLE login_links_before;
CREATE UNIQUE INDEX login_links_token ON login_links (site_id, token_hash) WHERE token_hash IS NOT NULL;
CREATE UNIQUE INDEX login_links_browser ON login_links (site_id, browser_hash) WHERE browser_hash IS NOT NULL;
CREATE INDEX login_links_email ON login_links (site_id, email);
CREATE INDEX login_links_member ON login_links (site_id, member_id) WHERE member_id IS NOT NULL;
CREATE INDEX login_links_requested ON login_links (site_id, id) WHERE state = 'requested';
CREATE INDEX login_links_by_age ON login_links (created_at) WHERE state = 'answered';

ALTER TABLE departed_items RENAME TO cursor_tombstones;
ALTER TABLE cursor_tombstones RENAME COLUMN departed_at TO deleted_at;
DROP INDEX departed_items_by_age;
CREATE INDEX cursor_tombstones_by_age ON cursor_tombstones (deleted_at);
UPDATE cursor_tombstones SET list = 'emails' WHERE list = 'mails';

ALTER TABLE welcome_tokens RENAME TO setup_tokens;
ALTER TABLE sites RENAME COLUMN realm_host TO operator_host;

UPDATE api_keys SET permissions = replace(permissions, '"mails:read"', '"emails:read"')
WHERE permissions LIKE '%"mails:read"%';

UPDATE events SET data = replace(data, '"mails:read"', '"emails:read"')
WHERE type LIKE 'key.%' AND data LIKE '%"mails:read"%';
UPDATE events SET data = replace(data, '"signed_out"', '"logged_out"')
WHERE type = 'session.revoked' AND data LIKE '%"signed_out"%';

DELETE FROM sqlite_stat1 WHERE tbl IN ('mails', 'departed_items', 'login_links', 'login_links_before');
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('login_links', 'login_links', '100000 1000 1'),
  ('login_links', 'login_links_token', '100000 1000 1'),
  ('login_links', 'login_links_browser', '100000 1000 1'),
  ('login_links', 'login_links_email', '100000 1000 2'),
  ('login_links', 'login_links_member', '100000 1000 2'),
  ('login_links', 'login_links_requested', '1000 100 1'),
  ('login_links', 'login_links_by_age', '100000 10'),
  ('emails', 'emails', '100000 10000 1'),
  ('emails', 'emails_waiting', '1000 100 2'),
  ('emails', 'emails_due', '1000 10 2'),
  ('emails', 'emails_member', '100000 10000 3'),
  ('emails', 'emails_login_link', '100000 10000 1'),
  ('emails', 'emails_by_state', '100000 10000 2500 1'),
  ('emails', 'emails_by_age', '100000 10'),
  ('emails', 'emails_with_content', '1000 10'),
  ('cursor_tombstones', 'cursor_tombstones_by_age', '100000 10');
