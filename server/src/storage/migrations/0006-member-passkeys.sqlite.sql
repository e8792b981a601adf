-- Passkeys of members.
-- usable from: 0001-schema
-- Whether members can add passkeys and log in with them.
ALTER TABLE sites ADD COLUMN allows_passkeys INTEGER NOT NULL DEFAULT 1 CHECK (allows_passkeys IN (0, 1));
-- Whether a member has ever added one; without one, no statement looks for passkeys.
ALTER TABLE sites ADD COLUMN has_passkeys INTEGER NOT NULL DEFAULT 0 CHECK (has_passkeys IN (0, 1));
-- A passkey of a member. The version before deletes only those of operators.
CREATE TABLE new_passkeys (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  credential_id TEXT NOT NULL,
  public_key TEXT NOT NULL, -- base64url
  counter INTEGER NOT NULL,
  transports TEXT NOT NULL, -- JSON
  name TEXT NOT NULL,
  created_at TEXT NOT NULL,
  last_used_at TEXT,
  rp_id TEXT, -- the host that it was made for; null: it was not stored, and counts as the present one
  backed_up INTEGER CHECK (backed_up IN (0, 1)), -- whether it is synchronized between devices; null: not known
  -- Whether the user was verified when it was added, which was always required.
  user_verified INTEGER NOT NULL DEFAULT 1 CHECK (user_verified IN (0, 1)),
  PRIMARY KEY (site_id, id),
  FOREIGN KEY (site_id, member_id) REFERENCES members (site_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO new_passkeys (
  site_id, id, member_id, credential_id, public_key, counter, transports, name, created_at, last_used_at
)
SELECT site_id, id, member_id, credential_id, public_key, counter, transports, name, created_at, last_used_at
FROM passkeys;
DROP TABLE passkeys;
ALTER TABLE new_passkeys RENAME TO passkeys;
CREATE UNIQUE INDEX passkeys_credential_id ON passkeys (site_id, credential_id);
CREATE INDEX passkeys_member ON passkeys (site_id, member_id, id);
-- A check goes away with its column.
ALTER TABLE emails ADD COLUMN kind TEXT NOT NULL DEFAULT 'login_link' CHECK (
  kind IN (
    'login_link', 'invitation', 'session_limit', 'webhook_disabled', 'new_passkey', 'new_browser', 'member_invitation',
    'join_requests', 'join_request_approved', 'join_request_declined', 'page_codes_paused', 'address_code',
    'address_changed', 'passkey_removed'
  )
);
UPDATE emails SET kind = type;
ALTER TABLE emails DROP COLUMN type;
ALTER TABLE emails RENAME COLUMN kind TO type;
-- The members who were asked once, after a login, whether they want to add a passkey.
CREATE TABLE passkey_offers (
  site_id TEXT NOT NULL REFERENCES sites (id),
  member_id TEXT NOT NULL,
  offered_at TEXT NOT NULL,
  PRIMARY KEY (site_id, member_id),
  -- The version before does not know these rows, and deletes members too.
  FOREIGN KEY (site_id, member_id) REFERENCES members (site_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('passkeys', 'passkeys', '10000 10000 1'),
  ('passkeys', 'passkeys_credential_id', '10000 10000 1'),
  ('passkeys', 'passkeys_member', '10000 10000 2 1'),
  ('passkey_offers', 'passkey_offers', '10000 10000 1');
