-- Passkeys of members.
-- usable from: 0001-schema
-- step: transaction
-- allows_passkeys: whether members can add passkeys and log in with them.
-- has_passkeys: whether a member has ever added one; without one, no statement looks for passkeys.
ALTER TABLE sites
  ADD COLUMN allows_passkeys boolean NOT NULL DEFAULT true,
  ADD COLUMN has_passkeys boolean NOT NULL DEFAULT false;
-- step: transaction
-- rp_id: the host that the passkey was made for; null: it was not stored, and counts as the present one.
-- backed_up: whether it is synchronized between devices; null: not known.
-- user_verified: whether the user was verified when it was added, which was always required.
ALTER TABLE passkeys
  ADD COLUMN rp_id text COLLATE "C",
  ADD COLUMN backed_up boolean,
  ADD COLUMN user_verified boolean NOT NULL DEFAULT true;
-- step: transaction
-- The version before deletes only the passkeys of operators.
ALTER TABLE passkeys DROP CONSTRAINT passkeys_site_id_member_id_fkey;
ALTER TABLE passkeys ADD CONSTRAINT passkeys_site_id_member_id_fkey
  FOREIGN KEY (site_id, member_id) REFERENCES members (site_id, id) ON DELETE CASCADE NOT VALID;
-- step: transaction
ALTER TABLE passkeys VALIDATE CONSTRAINT passkeys_site_id_member_id_fkey;
-- step: transaction
ALTER TABLE emails DROP CONSTRAINT emails_type_check;
ALTER TABLE emails ADD CONSTRAINT emails_type_check CHECK (
  type IN (
    'login_link', 'invitation', 'session_limit', 'webhook_disabled', 'new_passkey', 'new_browser', 'member_invitation',
    'join_requests', 'join_request_approved', 'join_request_declined', 'page_codes_paused', 'address_code',
    'address_changed', 'passkey_removed'
  )
) NOT VALID;
-- step: transaction
ALTER TABLE emails VALIDATE CONSTRAINT emails_type_check;
-- step: transaction
-- The members who were asked once, after a login, whether they want to add a passkey.
CREATE TABLE passkey_offers (
  site_id uuid NOT NULL REFERENCES sites (id),
  member_id uuid NOT NULL,
  offered_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, member_id),
  -- The version before does not know these rows, and deletes members too.
  FOREIGN KEY (site_id, member_id) REFERENCES members (site_id, id) ON DELETE CASCADE
);
