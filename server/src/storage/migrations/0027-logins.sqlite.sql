-- usable from: 0022-setup-tokens
-- The session that a login link opened in a browser that had not requested it. Only its code works from then on.
ALTER TABLE login_links ADD COLUMN used_session_id TEXT;

-- Two more kinds of email, to operators. The table is made anew, as a check of a column cannot be changed.
CREATE TABLE emails_again (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (
    kind IN ('login_link', 'invitation', 'session_limit', 'webhook_disabled', 'new_passkey', 'new_browser')
  ),
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
INSERT INTO emails_again (site_id, id, kind, recipient, member_id, login_link_id, subject, content, state, attempts,
                          next_attempt_at, last_error, created_at, sent_at)
SELECT site_id, id, kind, recipient, member_id, login_link_id, subject, content, state, attempts, next_attempt_at,
       last_error, created_at, sent_at
FROM emails;
DROP TABLE emails;
ALTER TABLE emails_again RENAME TO emails;
CREATE INDEX emails_waiting ON emails (site_id, next_attempt_at) WHERE state = 'waiting';
CREATE INDEX emails_due ON emails (next_attempt_at, site_id) WHERE state = 'waiting';
CREATE INDEX emails_member ON emails (site_id, member_id) WHERE member_id IS NOT NULL;
CREATE INDEX emails_login_link ON emails (site_id, login_link_id) WHERE login_link_id IS NOT NULL;
CREATE INDEX emails_by_state ON emails (site_id, state, id);
CREATE INDEX emails_by_age ON emails (created_at);
CREATE INDEX emails_with_content ON emails (created_at) WHERE content IS NOT NULL;

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('emails', 'emails', '100000 10000 1'),
  ('emails', 'emails_waiting', '1000 100 2'),
  ('emails', 'emails_due', '1000 10 2'),
  ('emails', 'emails_member', '100000 10000 3'),
  ('emails', 'emails_login_link', '100000 10000 1'),
  ('emails', 'emails_by_state', '100000 10000 2500 1'),
  ('emails', 'emails_by_age', '100000 10'),
  ('emails', 'emails_with_content', '1000 10');
