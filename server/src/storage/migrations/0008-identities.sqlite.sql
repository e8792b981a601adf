-- Accounts at login providers with which members log in.
-- usable from: 0001-schema
-- A check goes away with its column.
ALTER TABLE emails ADD COLUMN kind TEXT NOT NULL DEFAULT 'login_link' CHECK (
  kind IN (
    'login_link', 'invitation', 'session_limit', 'webhook_disabled', 'new_passkey', 'new_browser', 'member_invitation',
    'join_requests', 'join_request_approved', 'join_request_declined', 'page_codes_paused', 'address_code',
    'address_changed', 'passkey_removed', 'account_linked'
  )
);
UPDATE emails SET kind = type;
ALTER TABLE emails DROP COLUMN type;
ALTER TABLE emails RENAME COLUMN kind TO type;
-- The login provider whose groups it follows; null for a membership of another source.
ALTER TABLE memberships ADD COLUMN provider_id TEXT;
CREATE INDEX memberships_provider ON memberships (site_id, provider_id) WHERE provider_id IS NOT NULL;
-- An account of a member at a provider.
CREATE TABLE member_identities (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  provider_id TEXT NOT NULL,
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  email TEXT, -- as the provider named it when the account was linked
  label TEXT NOT NULL,
  proven_email TEXT, -- the address for which the provider vouched when the account was linked; null: none
  created_at TEXT NOT NULL,
  last_used_at TEXT,
  PRIMARY KEY (site_id, id),
  -- The version before does not know these rows, and deletes members too.
  FOREIGN KEY (site_id, member_id) REFERENCES members (site_id, id) ON DELETE CASCADE,
  FOREIGN KEY (site_id, provider_id) REFERENCES login_providers (site_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX member_identities_account ON member_identities (site_id, issuer, subject);
CREATE INDEX member_identities_member ON member_identities (site_id, member_id, id);
CREATE INDEX member_identities_provider ON member_identities (site_id, provider_id, member_id);
-- A login that has begun at a provider, in one browser. Of its state and of the browser's token only the hashes are stored.
CREATE TABLE provider_logins (
  site_id TEXT NOT NULL REFERENCES sites (id),
  state_hash TEXT NOT NULL,
  browser_hash TEXT NOT NULL,
  provider_id TEXT NOT NULL,
  nonce TEXT NOT NULL,
  code_verifier TEXT NOT NULL,
  next_path TEXT NOT NULL,
  language TEXT NOT NULL,
  member_id TEXT, -- who links the account; null for a login
  session_id TEXT, -- in which session
  code TEXT, -- sent to the service by the page of the provider
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (site_id, state_hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX provider_logins_browser ON provider_logins (site_id, browser_hash, created_at);
CREATE INDEX provider_logins_by_end ON provider_logins (expires_at);
-- An account that a browser may link after a login by email, because the provider does not vouch for its address.
CREATE TABLE pending_identities (
  site_id TEXT NOT NULL REFERENCES sites (id),
  browser_hash TEXT NOT NULL,
  provider_id TEXT NOT NULL,
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  email TEXT NOT NULL,
  label TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (site_id, browser_hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX pending_identities_by_end ON pending_identities (expires_at);

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('memberships', 'memberships_provider', '100000 100000 10000'),
  ('member_identities', 'member_identities', '100000 100000 1'),
  ('member_identities', 'member_identities_account', '100000 100000 10000 1'),
  ('member_identities', 'member_identities_member', '100000 100000 1 1'),
  ('member_identities', 'member_identities_provider', '100000 100000 10000 1'),
  ('provider_logins', 'provider_logins', '1000 1000 1'),
  ('provider_logins', 'provider_logins_browser', '1000 1000 1 1'),
  ('provider_logins', 'provider_logins_by_end', '1000 1'),
  ('pending_identities', 'pending_identities', '1000 1000 1'),
  ('pending_identities', 'pending_identities_by_end', '1000 1');
