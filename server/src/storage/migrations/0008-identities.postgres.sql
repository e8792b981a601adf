-- Accounts at login providers with which members log in.
-- usable from: 0001-schema
-- step: transaction
ALTER TABLE emails DROP CONSTRAINT emails_type_check;
ALTER TABLE emails ADD CONSTRAINT emails_type_check CHECK (
  type IN (
    'login_link', 'invitation', 'session_limit', 'webhook_disabled', 'new_passkey', 'new_browser', 'member_invitation',
    'join_requests', 'join_request_approved', 'join_request_declined', 'page_codes_paused', 'address_code',
    'address_changed', 'passkey_removed', 'account_linked'
  )
) NOT VALID;
-- step: transaction
ALTER TABLE emails VALIDATE CONSTRAINT emails_type_check;
-- step: transaction
-- The login provider whose groups it follows; null for a membership of another source.
ALTER TABLE memberships ADD COLUMN provider_id uuid;
-- step: concurrently
CREATE INDEX CONCURRENTLY memberships_provider ON memberships (site_id, provider_id) WHERE provider_id IS NOT NULL;
-- step: transaction
-- An account of a member at a provider.
CREATE TABLE member_identities (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  member_id uuid NOT NULL,
  provider_id uuid NOT NULL,
  issuer text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  email text, -- as the provider named it when the account was linked
  label text NOT NULL,
  proven_email text COLLATE "C", -- the address for which the provider vouched when the account was linked; null: none
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  PRIMARY KEY (site_id, id),
  -- The version before does not know these rows, and deletes members too.
  FOREIGN KEY (site_id, member_id) REFERENCES members (site_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX member_identities_account ON member_identities (site_id, issuer, subject);
CREATE INDEX member_identities_member ON member_identities (site_id, member_id, id);
CREATE INDEX member_identities_provider ON member_identities (site_id, provider_id, member_id);
-- step: transaction
ALTER TABLE member_identities ADD CONSTRAINT member_identities_provider_fkey
  FOREIGN KEY (site_id, provider_id) REFERENCES login_providers (site_id, id) ON DELETE CASCADE;
-- step: transaction
-- A login that has begun at a provider, in one browser. Of its state and of the browser's token only the hashes are stored.
CREATE TABLE provider_logins (
  site_id uuid NOT NULL REFERENCES sites (id),
  state_hash text COLLATE "C" NOT NULL,
  browser_hash text COLLATE "C" NOT NULL,
  provider_id uuid NOT NULL,
  nonce text NOT NULL,
  code_verifier text NOT NULL,
  next_path text NOT NULL,
  language text NOT NULL,
  member_id uuid, -- who links the account; null for a login
  session_id uuid, -- in which session
  code text, -- sent to the service by the page of the provider
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, state_hash)
);
CREATE INDEX provider_logins_browser ON provider_logins (site_id, browser_hash, created_at);
CREATE INDEX provider_logins_by_end ON provider_logins (expires_at);
-- step: transaction
-- An account that a browser may link after a login by email, because the provider does not vouch for its address.
CREATE TABLE pending_identities (
  site_id uuid NOT NULL REFERENCES sites (id),
  browser_hash text COLLATE "C" NOT NULL,
  provider_id uuid NOT NULL,
  issuer text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  email text COLLATE "C" NOT NULL,
  label text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, browser_hash)
);
CREATE INDEX pending_identities_by_end ON pending_identities (expires_at);
