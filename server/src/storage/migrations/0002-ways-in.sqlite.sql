-- Invitations, requests to join, and page codes.
-- usable from: 0001-schema
ALTER TABLE sites ADD COLUMN allows_access_requests INTEGER NOT NULL DEFAULT 0 CHECK (allows_access_requests IN (0, 1));
-- A check goes away with its column.
ALTER TABLE sites ADD COLUMN policy TEXT NOT NULL DEFAULT 'members_only'
  CHECK (policy IN ('members_only', 'allowed_domains', 'approval', 'open'));
UPDATE sites SET policy = sign_up_policy;
ALTER TABLE sites DROP COLUMN sign_up_policy;
ALTER TABLE sites RENAME COLUMN policy TO sign_up_policy;
ALTER TABLE emails ADD COLUMN kind TEXT NOT NULL DEFAULT 'login_link' CHECK (
  kind IN (
    'login_link', 'invitation', 'session_limit', 'webhook_disabled', 'new_passkey', 'new_browser', 'member_invitation',
    'join_requests', 'join_request_approved', 'join_request_declined', 'page_codes_paused'
  )
);
UPDATE emails SET kind = type;
ALTER TABLE emails DROP COLUMN type;
ALTER TABLE emails RENAME COLUMN kind TO type;
-- JSON: what the person has entered who wants to join, if the login request came from such a page.
ALTER TABLE login_links ADD COLUMN joining TEXT;
-- A response to a form with which nobody logs in has no session. Its rows last for seconds, so that none is copied.
DROP TABLE form_responses;
CREATE TABLE form_responses (
  site_id TEXT NOT NULL,
  form_hash TEXT NOT NULL,
  session_id TEXT,
  reply TEXT NOT NULL, -- encrypted with a key that only the browser has
  created_at TEXT NOT NULL,
  PRIMARY KEY (site_id, form_hash),
  FOREIGN KEY (site_id, session_id) REFERENCES sessions (site_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX form_responses_session ON form_responses (site_id, session_id);
CREATE INDEX form_responses_by_age ON form_responses (created_at);

-- A link with which people become members. Only the hashes of its codes are stored (invitation_codes).
CREATE TABLE invitations (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  note TEXT NOT NULL,
  email TEXT, -- null: for everyone who has the link
  language TEXT,
  group_ids TEXT NOT NULL, -- JSON
  membership_expires_at TEXT,
  membership_days INTEGER,
  max_uses INTEGER,
  used_count INTEGER NOT NULL DEFAULT 0,
  email_domains TEXT NOT NULL, -- JSON
  needs_approval INTEGER NOT NULL CHECK (needs_approval IN (0, 1)),
  expires_at TEXT NOT NULL,
  revoked_at TEXT,
  sealed_code TEXT, -- encrypted; only of one for everyone, so that its link can be shown again
  maker_type TEXT NOT NULL, -- the API key or operator that made it or changed it last: it ends with them
  maker_id TEXT,
  sent_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (site_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX invitations_email ON invitations (site_id, email) WHERE email IS NOT NULL;
CREATE INDEX invitations_maker ON invitations (site_id, maker_id) WHERE maker_id IS NOT NULL;
CREATE INDEX invitations_by_end ON invitations (expires_at);

CREATE TABLE invitation_codes (
  site_id TEXT NOT NULL REFERENCES sites (id),
  code_hash TEXT NOT NULL,
  invitation_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (site_id, code_hash),
  FOREIGN KEY (site_id, invitation_id) REFERENCES invitations (site_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX invitation_codes_invitation ON invitation_codes (site_id, invitation_id);

CREATE TABLE invitation_redemptions (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  invitation_id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  is_new_member INTEGER NOT NULL CHECK (is_new_member IN (0, 1)),
  redeemed_at TEXT NOT NULL,
  PRIMARY KEY (site_id, id),
  FOREIGN KEY (site_id, invitation_id) REFERENCES invitations (site_id, id),
  -- The version before does not know these rows, and deletes members too.
  FOREIGN KEY (site_id, member_id) REFERENCES members (site_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX invitation_redemptions_invitation ON invitation_redemptions (site_id, invitation_id, id);
CREATE INDEX invitation_redemptions_member ON invitation_redemptions (site_id, member_id);

-- A person with a verified email address who asks to become a member, or a member who asks for access.
CREATE TABLE join_requests (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  email TEXT NOT NULL,
  display_name TEXT,
  message TEXT,
  path TEXT,
  language TEXT NOT NULL,
  member_id TEXT, -- without a foreign key: deleting the member deletes the row
  invitation_id TEXT,
  status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'declined', 'expired')),
  announced_at TEXT, -- when operators were told of it; null if they were not yet
  created_at TEXT NOT NULL,
  ends_at TEXT NOT NULL, -- when it expires if it is pending, and when the row is purged otherwise
  decided_at TEXT,
  decided_by TEXT, -- JSON: the actor
  PRIMARY KEY (site_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX join_requests_pending ON join_requests (site_id, email) WHERE status = 'pending';
CREATE INDEX join_requests_email ON join_requests (site_id, email);
CREATE INDEX join_requests_status ON join_requests (site_id, status, id);
CREATE INDEX join_requests_member ON join_requests (site_id, member_id) WHERE member_id IS NOT NULL;
CREATE INDEX join_requests_announced ON join_requests (site_id, announced_at) WHERE announced_at IS NOT NULL;
CREATE INDEX join_requests_unannounced ON join_requests (site_id, id) WHERE announced_at IS NULL AND status = 'pending';
CREATE INDEX join_requests_by_end ON join_requests (ends_at);

-- What all page codes of a site have in common.
CREATE TABLE page_code_settings (
  site_id TEXT NOT NULL REFERENCES sites (id),
  salt TEXT NOT NULL, -- of the hashes of the codes
  paused_until TEXT, -- until when chosen codes are not accepted
  PRIMARY KEY (site_id)
) STRICT, WITHOUT ROWID;

-- A code that gives access to pages without a login.
CREATE TABLE page_codes (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  label TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('words', 'characters', 'chosen')),
  code_hash TEXT NOT NULL,
  sealed_code TEXT, -- encrypted; null for one that was chosen
  expires_at TEXT,
  max_uses INTEGER,
  used_count INTEGER NOT NULL DEFAULT 0,
  last_used_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (site_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX page_codes_code_hash ON page_codes (site_id, code_hash);

-- A browser in which a page code was entered, on one host. Changing or revoking the code deletes its passes.
CREATE TABLE page_passes (
  site_id TEXT NOT NULL REFERENCES sites (id),
  token_hash TEXT NOT NULL,
  page_code_id TEXT NOT NULL,
  domain TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (site_id, token_hash, page_code_id),
  FOREIGN KEY (site_id, page_code_id) REFERENCES page_codes (site_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX page_passes_code ON page_passes (site_id, page_code_id);
CREATE INDEX page_passes_by_end ON page_passes (expires_at);

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('form_responses', 'form_responses', '1000 100 1'),
  ('form_responses', 'form_responses_session', '1000 100 1'),
  ('form_responses', 'form_responses_by_age', '1000 10'),
  ('invitations', 'invitations', '10000 1000 1'),
  ('invitations', 'invitations_email', '10000 1000 1'),
  ('invitations', 'invitations_maker', '10000 1000 200'),
  ('invitations', 'invitations_by_end', '10000 10'),
  ('invitation_codes', 'invitation_codes', '10000 1000 1'),
  ('invitation_codes', 'invitation_codes_invitation', '10000 1000 1'),
  ('invitation_redemptions', 'invitation_redemptions', '10000 1000 1'),
  ('invitation_redemptions', 'invitation_redemptions_invitation', '10000 1000 10 1'),
  ('invitation_redemptions', 'invitation_redemptions_member', '10000 1000 1'),
  ('join_requests', 'join_requests', '10000 1000 1'),
  ('join_requests', 'join_requests_pending', '1000 100 1'),
  ('join_requests', 'join_requests_email', '10000 1000 1'),
  ('join_requests', 'join_requests_status', '10000 1000 250 1'),
  ('join_requests', 'join_requests_member', '1000 100 1'),
  ('join_requests', 'join_requests_announced', '10000 1000 10'),
  ('join_requests', 'join_requests_unannounced', '100 10 1'),
  ('join_requests', 'join_requests_by_end', '10000 10'),
  ('page_codes', 'page_codes', '1000 10 1'),
  ('page_codes', 'page_codes_code_hash', '1000 10 1'),
  ('page_passes', 'page_passes', '100000 10000 1 1'),
  ('page_passes', 'page_passes_code', '100000 10000 1000'),
  ('page_passes', 'page_passes_by_end', '100000 10');
