-- Texts and links of sites for visitors.
-- usable from: 0001-schema
-- step: transaction
-- links: JSON; null while none was ever set.
ALTER TABLE sites ADD COLUMN links text;
-- step: transaction
-- Texts of a site for the emails to its members, in one language. Null for the text of Gatehouse.
CREATE TABLE email_texts (
  site_id uuid NOT NULL REFERENCES sites (id),
  language text COLLATE "C" NOT NULL,
  greeting text,
  closing text,
  welcome text,
  PRIMARY KEY (site_id, language)
);
-- step: transaction
ALTER TABLE emails DROP CONSTRAINT emails_type_check;
ALTER TABLE emails ADD CONSTRAINT emails_type_check CHECK (
  type IN (
    'login_link', 'invitation', 'session_limit', 'webhook_disabled', 'new_passkey', 'new_browser', 'member_invitation',
    'join_requests', 'join_request_approved', 'join_request_declined', 'page_codes_paused', 'address_code',
    'address_changed', 'passkey_removed', 'account_linked', 'mail_test'
  )
) NOT VALID;
-- step: transaction
ALTER TABLE emails VALIDATE CONSTRAINT emails_type_check;
