-- Texts and links of sites for visitors.
-- usable from: 0001-schema
ALTER TABLE sites ADD COLUMN links TEXT; -- JSON; null while none was ever set
-- Texts of a site for the emails to its members, in one language. Null for the text of Gatehouse.
CREATE TABLE email_texts (
  site_id TEXT NOT NULL REFERENCES sites (id),
  language TEXT NOT NULL,
  greeting TEXT,
  closing TEXT,
  welcome TEXT,
  PRIMARY KEY (site_id, language)
) STRICT, WITHOUT ROWID;
-- A check goes away with its column.
ALTER TABLE emails ADD COLUMN kind TEXT NOT NULL DEFAULT 'login_link' CHECK (
  kind IN (
    'login_link', 'invitation', 'session_limit', 'webhook_disabled', 'new_passkey', 'new_browser', 'member_invitation',
    'join_requests', 'join_request_approved', 'join_request_declined', 'page_codes_paused', 'address_code',
    'address_changed', 'passkey_removed', 'account_linked', 'mail_test'
  )
);
UPDATE emails SET kind = type;
ALTER TABLE emails DROP COLUMN type;
ALTER TABLE emails RENAME COLUMN kind TO type;

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('email_texts', 'email_texts', '1000 2 1');
