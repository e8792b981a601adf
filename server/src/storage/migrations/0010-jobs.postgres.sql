-- Which process looks after the work of a kind that others have left. There is a row only while somebody does.
CREATE TABLE job_leases (
  job text COLLATE "C" PRIMARY KEY,
  holder uuid NOT NULL,
  expires_at timestamptz(3) NOT NULL
);

-- What is due is found by its time, over all sites at once: these indexes alone do not begin with the site.
CREATE INDEX mails_due ON mails (next_attempt_at, site_id) WHERE state = 'waiting';

DROP INDEX idempotency_keys_by_age;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
DROP INDEX departed_items_by_age;
CREATE INDEX departed_items_by_age ON departed_items (departed_at);
DROP INDEX memberships_due;
CREATE INDEX memberships_due ON memberships (expires_at) WHERE expires_at IS NOT NULL;
DROP INDEX login_links_by_age;
CREATE INDEX login_links_by_age ON login_links (created_at) WHERE state = 'answered';
DROP INDEX sessions_by_age;
CREATE INDEX sessions_by_age ON sessions (expires_at);
DROP INDEX mails_by_age;
CREATE INDEX mails_by_age ON mails (created_at);
CREATE INDEX mails_with_content ON mails (created_at) WHERE content IS NOT NULL;
DROP INDEX operator_tokens_by_age;
CREATE INDEX operator_tokens_by_age ON operator_tokens (expires_at);
DROP INDEX passkey_challenges_by_age;
CREATE INDEX passkey_challenges_by_age ON passkey_challenges (expires_at);
DROP INDEX known_browsers_by_age;
CREATE INDEX known_browsers_by_age ON known_browsers (last_login_at);
CREATE INDEX email_budgets_by_age ON email_budgets (starts_at) WHERE withheld = 0;
CREATE INDEX email_budgets_withheld_by_age ON email_budgets (starts_at) WHERE withheld > 0;

-- Events are too many for one more index: a site knows itself from when its oldest is.
ALTER TABLE event_heads ADD COLUMN oldest_at timestamptz(3);
UPDATE event_heads h SET oldest_at = COALESCE(
  (SELECT e.occurred_at FROM events e WHERE e.site_id = h.site_id ORDER BY e.position LIMIT 1),
  (SELECT s.created_at FROM sites s WHERE s.id = h.site_id));
ALTER TABLE event_heads ALTER COLUMN oldest_at SET NOT NULL;
CREATE INDEX event_heads_by_age ON event_heads (oldest_at);
