-- Standard words for tables, columns and states.
ALTER TABLE mails RENAME TO emails;
ALTER TABLE emails RENAME CONSTRAINT mails_pkey TO emails_pkey;
ALTER TABLE emails RENAME CONSTRAINT mails_site_id_fkey TO emails_site_id_fkey;
ALTER TABLE emails RENAME CONSTRAINT mails_kind_check TO emails_kind_check;
ALTER TABLE emails DROP CONSTRAINT mails_state_check;
UPDATE emails SET state = 'not_sent' WHERE state = 'kept';
ALTER TABLE emails ADD CONSTRAINT emails_state_check CHECK (state IN ('waiting', 'sent', 'not_sent', 'failed'));
ALTER INDEX mails_waiting RENAME TO emails_waiting;
ALTER INDEX mails_due RENAME TO emails_due;
ALTER INDEX mails_member RENAME TO emails_member;
ALTER INDEX mails_login_link RENAME TO emails_login_link;
ALTER INDEX mails_by_state RENAME TO emails_by_state;
ALTER INDEX mails_by_age RENAME TO emails_by_age;
ALTER INDEX mails_with_content RENAME TO emails_with_content;

-- Everybody who requests a login link has a row here, member or not; only a member's row is ever given a token.
ALTER TABLE login_links DROP CONSTRAINT login_links_state_check;
DROP INDEX login_links_asked;
UPDATE login_links SET state = 'requested' WHERE state = 'asked';
ALTER TABLE login_links ADD CONSTRAINT login_links_state_check CHECK (state IN ('requested', 'answered'));
CREATE INDEX login_links_requested ON login_links (site_id, id) WHERE state = 'requested';

ALTER TABLE departed_items RENAME TO cursor_tombstones;
ALTER TABLE cursor_tombstones RENAME CONSTRAINT departed_items_pkey TO cursor_tombstones_pkey;
ALTER TABLE cursor_tombstones RENAME CONSTRAINT departed_items_site_id_fkey TO cursor_tombstones_site_id_fkey;
ALTER TABLE cursor_tombstones RENAME COLUMN departed_at TO deleted_at;
ALTER INDEX departed_items_by_age RENAME TO cursor_tombstones_by_age;
UPDATE cursor_tombstones SET list = 'emails' WHERE list = 'mails';

ALTER TABLE welcome_tokens RENAME TO setup_tokens;
ALTER TABLE setup_tokens RENAME CONSTRAINT welcome_tokens_pkey TO setup_tokens_pkey;
ALTER TABLE setup_tokens RENAME CONSTRAINT welcome_tokens_site_id_fkey TO setup_tokens_site_id_fkey;
ALTER TABLE sites RENAME COLUMN realm_host TO operator_host;

UPDATE api_keys SET permissions = replace(permissions, '"mails:read"', '"emails:read"')
WHERE permissions LIKE '%"mails:read"%';

UPDATE events SET data = replace(data, '"mails:read"', '"emails:read"')
WHERE type LIKE 'key.%' AND data LIKE '%"mails:read"%';
UPDATE events SET data = replace(data, '"signed_out"', '"logged_out"')
WHERE type = 'session.revoked' AND data LIKE '%"signed_out"%';
