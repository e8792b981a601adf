-- usable from: 0022-setup-tokens
-- Webhooks: receivers of the events of a site. What was sent is known by a position in the feed of events.
CREATE TABLE webhooks (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  url TEXT NOT NULL,
  description TEXT NOT NULL,
  event_types TEXT, -- JSON; null for all
  group_ids TEXT, -- JSON; null for all events
  content TEXT NOT NULL CHECK (content IN ('full', 'ids')),
  parallelism INTEGER NOT NULL,
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  disabled_reason TEXT,
  secret TEXT NOT NULL, -- encrypted
  previous_secret TEXT, -- encrypted
  previous_secret_until TEXT,
  position INTEGER NOT NULL, -- every event up to it was sent, or waits as a delivery
  follows_feed INTEGER NOT NULL CHECK (follows_feed IN (0, 1)), -- whether events after the position are due
  replay TEXT, -- JSON: the part of the feed that is sent again
  failures INTEGER NOT NULL, -- consecutive ones
  failing_since TEXT,
  due_at TEXT, -- when a delivery is due, or a failing receiver is tried again
  holder TEXT, -- the process that sends
  claimed_until TEXT, -- when the lease of this process ends
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (site_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX webhooks_enabled ON webhooks (site_id, id) WHERE enabled;

-- Attempts to send a message to a webhook: those that wait, and what became of the others. Not of the webhook by a
-- foreign key, because they are purged long after it.
CREATE TABLE webhook_deliveries (
  site_id TEXT NOT NULL,
  id TEXT NOT NULL,
  webhook_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('event', 'replay', 'test')),
  message_id TEXT NOT NULL, -- the event; of its own for a test
  type TEXT NOT NULL,
  position INTEGER, -- of the event in the feed
  attempt INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'succeeded', 'failed')),
  due_at TEXT, -- of one that waits
  started_at TEXT,
  ended_at TEXT,
  duration_ms INTEGER,
  response_status INTEGER,
  response_body TEXT,
  error TEXT, -- JSON
  next_attempt_at TEXT,
  PRIMARY KEY (site_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (site_id, webhook_id, id);
CREATE INDEX webhook_deliveries_by_state ON webhook_deliveries (site_id, webhook_id, state, id);
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (site_id, webhook_id, due_at) WHERE state = 'waiting';
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL;

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('webhooks', 'webhooks', '1000 2 1'),
  ('webhooks', 'webhooks_enabled', '1000 2 1'),
  ('webhook_deliveries', 'webhook_deliveries', '1000000 10000 1'),
  ('webhook_deliveries', 'webhook_deliveries_by_webhook', '1000000 10000 5000 1'),
  ('webhook_deliveries', 'webhook_deliveries_by_state', '1000000 10000 5000 1000 1'),
  ('webhook_deliveries', 'webhook_deliveries_waiting', '1000 100 50 1'),
  ('webhook_deliveries', 'webhook_deliveries_ended', '1000000 10');

-- Another kind of email. The table is made anew, as a check of a column cannot be changed.
CREATE TABLE emails_again (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('login_link', 'invitation', 'session_limit', 'webhook_disabled')),
  recipient TEXT NOT NULL,
  member_id TEXT,
  login_link_id TEXT,
  subject TEXT NOT NULL, -- without the code that logs in
  -- Null once nobody needs to read it again: a login link in it works for whoever reads it.
  content TEXT,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'sent', 'not_sent', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at TEXT,
  last_error TEXT,
  created_at TEXT NOT NULL,
  sent_at TEXT,
  PRIMARY KEY (site_id, id)
) STRICT, WITHOUT ROWID;
INSERT INTO emails_again (site_id, id, kind, recipient, member_id, login_link_id, subject, content, state, attempts,
                          next_attempt_at, last_error, created_at, sent_at)
SELECT site_id, id, kind, recipient, member_id, login_link_id, subject, content, state, attempts, next_attempt_at,
       last_error, created_at, sent_at
FROM emails;
DROP TABLE emails;
ALTER TABLE emails_again RENAME TO emails;
CREATE INDEX emails_waiting ON emails (site_id, next_attempt_at) WHERE state = 'waiting';
CREATE INDEX emails_due ON emails (next_attempt_at, site_id) WHERE state = 'waiting';
CREATE INDEX emails_member ON emails (site_id, member_id) WHERE member_id IS NOT NULL;
CREATE INDEX emails_login_link ON emails (site_id, login_link_id) WHERE login_link_id IS NOT NULL;
CREATE INDEX emails_by_state ON emails (site_id, state, id);
CREATE INDEX emails_by_age ON emails (created_at);
CREATE INDEX emails_with_content ON emails (created_at) WHERE content IS NOT NULL;

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('emails', 'emails', '100000 10000 1'),
  ('emails', 'emails_waiting', '1000 100 2'),
  ('emails', 'emails_due', '1000 10 2'),
  ('emails', 'emails_member', '100000 10000 3'),
  ('emails', 'emails_login_link', '100000 10000 1'),
  ('emails', 'emails_by_state', '100000 10000 2500 1'),
  ('emails', 'emails_by_age', '100000 10'),
  ('emails', 'emails_with_content', '1000 10');
