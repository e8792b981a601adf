-- usable from: 0022-setup-tokens
-- step: transaction
-- Webhooks: receivers of the events of a site. What was sent is known by a position in the feed of events.
CREATE TABLE webhooks (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  url text NOT NULL,
  description text NOT NULL,
  event_types text, -- JSON; null for all
  group_ids text, -- JSON; null for all events
  content text COLLATE "C" NOT NULL CHECK (content IN ('full', 'ids')),
  parallelism integer NOT NULL,
  enabled boolean NOT NULL,
  disabled_reason text COLLATE "C",
  secret text NOT NULL, -- encrypted
  previous_secret text, -- encrypted
  previous_secret_until timestamptz(3),
  position bigint NOT NULL, -- every event up to it was sent, or waits as a delivery
  follows_feed boolean NOT NULL, -- whether events after the position are due
  replay text, -- JSON: the part of the feed that is sent again
  failures integer NOT NULL, -- consecutive ones
  failing_since timestamptz(3),
  due_at timestamptz(3), -- when a delivery is due, or a failing receiver is tried again
  holder text COLLATE "C", -- the process that sends
  claimed_until timestamptz(3), -- when the lease of this process ends
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, id)
);
CREATE INDEX webhooks_enabled ON webhooks (site_id, id) WHERE enabled;

-- Attempts to send a message to a webhook: those that wait, and what became of the others. Not of the webhook by a
-- foreign key, because they are purged long after it.
CREATE TABLE webhook_deliveries (
  site_id uuid NOT NULL,
  id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('event', 'replay', 'test')),
  message_id uuid NOT NULL, -- the event; of its own for a test
  type text COLLATE "C" NOT NULL,
  position bigint, -- of the event in the feed
  attempt integer NOT NULL,
  state text COLLATE "C" NOT NULL CHECK (state IN ('waiting', 'succeeded', 'failed')),
  due_at timestamptz(3), -- of one that waits
  started_at timestamptz(3),
  ended_at timestamptz(3),
  duration_ms integer,
  response_status integer,
  response_body text,
  error text, -- JSON
  next_attempt_at timestamptz(3),
  PRIMARY KEY (site_id, id)
);
CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (site_id, webhook_id, id);
CREATE INDEX webhook_deliveries_by_state ON webhook_deliveries (site_id, webhook_id, state, id);
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (site_id, webhook_id, due_at) WHERE state = 'waiting';
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL;

-- step: transaction
ALTER TABLE emails DROP CONSTRAINT emails_kind_check;
ALTER TABLE emails ADD CONSTRAINT emails_kind_check
  CHECK (kind IN ('login_link', 'invitation', 'session_limit', 'webhook_disabled')) NOT VALID;
-- step: transaction
ALTER TABLE emails VALIDATE CONSTRAINT emails_kind_check;
