-- usable from: 0022-setup-tokens
-- step: transaction
-- The session that a login link opened in a browser that had not requested it. Only its code works from then on.
ALTER TABLE login_links ADD COLUMN used_session_id uuid;

-- step: transaction
-- Two more kinds of email, to operators.
ALTER TABLE emails DROP CONSTRAINT emails_kind_check;
ALTER TABLE emails ADD CONSTRAINT emails_kind_check
  CHECK (kind IN ('login_link', 'invitation', 'session_limit', 'webhook_disabled', 'new_passkey', 'new_browser')) NOT VALID;
-- step: transaction
ALTER TABLE emails VALIDATE CONSTRAINT emails_kind_check;
