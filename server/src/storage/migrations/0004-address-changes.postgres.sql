-- Changes of address by members.
-- usable from: 0001-schema
-- step: transaction
ALTER TABLE emails DROP CONSTRAINT emails_type_check;
ALTER TABLE emails ADD CONSTRAINT emails_type_check CHECK (
  type IN (
    'login_link', 'invitation', 'session_limit', 'webhook_disabled', 'new_passkey', 'new_browser', 'member_invitation',
    'join_requests', 'join_request_approved', 'join_request_declined', 'page_codes_paused', 'address_code',
    'address_changed'
  )
) NOT VALID;
-- step: transaction
ALTER TABLE emails VALIDATE CONSTRAINT emails_type_check;
-- step: transaction
-- A new address that a member has entered in a session, and that the code of an email confirms there.
CREATE TABLE address_changes (
  site_id uuid NOT NULL REFERENCES sites (id),
  session_id uuid NOT NULL,
  member_id uuid NOT NULL,
  email text COLLATE "C" NOT NULL,
  code_hash text NOT NULL,
  tries integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, session_id),
  -- The version before does not know these rows, and ends sessions too.
  FOREIGN KEY (site_id, session_id) REFERENCES sessions (site_id, id) ON DELETE CASCADE
);
CREATE INDEX address_changes_by_end ON address_changes (expires_at);
-- step: transaction
-- A change that the former address can take back. Only the hash of the link's token is stored.
CREATE TABLE address_reversals (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  member_id uuid NOT NULL,
  token_hash text COLLATE "C" NOT NULL,
  old_email text COLLATE "C" NOT NULL,
  new_email text COLLATE "C" NOT NULL,
  changed_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, id),
  -- The version before does not know these rows, and deletes members too.
  FOREIGN KEY (site_id, member_id) REFERENCES members (site_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX address_reversals_token_hash ON address_reversals (site_id, token_hash);
CREATE INDEX address_reversals_member_id ON address_reversals (site_id, member_id, id);
CREATE INDEX address_reversals_by_end ON address_reversals (expires_at);
