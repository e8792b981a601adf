-- Changes of address by members.
-- usable from: 0001-schema
-- A check goes away with its column.
ALTER TABLE emails ADD COLUMN kind TEXT NOT NULL DEFAULT 'login_link' CHECK (
  kind IN (
    'login_link', 'invitation', 'session_limit', 'webhook_disabled', 'new_passkey', 'new_browser', 'member_invitation',
    'join_requests', 'join_request_approved', 'join_request_declined', 'page_codes_paused', 'address_code',
    'address_changed'
  )
);
UPDATE emails SET kind = type;
ALTER TABLE emails DROP COLUMN type;
ALTER TABLE emails RENAME COLUMN kind TO type;
-- A new address that a member has entered in a session, and that the code of an email confirms there.
CREATE TABLE address_changes (
  site_id TEXT NOT NULL REFERENCES sites (id),
  session_id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  email TEXT NOT NULL,
  code_hash TEXT NOT NULL,
  tries INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (site_id, session_id),
  -- The version before does not know these rows, and ends sessions too.
  FOREIGN KEY (site_id, session_id) REFERENCES sessions (site_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX address_changes_by_end ON address_changes (expires_at);
-- A change that the former address can take back. Only the hash of the link's token is stored.
CREATE TABLE address_reversals (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  token_hash TEXT NOT NULL,
  old_email TEXT NOT NULL,
  new_email TEXT NOT NULL,
  changed_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (site_id, id),
  -- The version before does not know these rows, and deletes members too.
  FOREIGN KEY (site_id, member_id) REFERENCES members (site_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX address_reversals_token_hash ON address_reversals (site_id, token_hash);
CREATE INDEX address_reversals_member_id ON address_reversals (site_id, member_id, id);
CREATE INDEX address_reversals_by_end ON address_reversals (expires_at);

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('address_changes', 'address_changes', '1000 1000 1'),
  ('address_changes', 'address_changes_by_end', '1000 10'),
  ('address_reversals', 'address_reversals', '10000 10000 1'),
  ('address_reversals', 'address_reversals_token_hash', '10000 10000 1'),
  ('address_reversals', 'address_reversals_member_id', '10000 10000 2 1'),
  ('address_reversals', 'address_reversals_by_end', '10000 10');
