-- Invitations, requests to join, and page codes.
-- usable from: 0001-schema
-- step: transaction
ALTER TABLE sites ADD COLUMN allows_access_requests boolean NOT NULL DEFAULT false;
ALTER TABLE sites DROP CONSTRAINT sites_sign_up_policy_check;
ALTER TABLE sites ADD CONSTRAINT sites_sign_up_policy_check
  CHECK (sign_up_policy IN ('members_only', 'allowed_domains', 'approval', 'open')) NOT VALID;
-- step: transaction
ALTER TABLE sites VALIDATE CONSTRAINT sites_sign_up_policy_check;
-- step: transaction
ALTER TABLE emails DROP CONSTRAINT emails_type_check;
ALTER TABLE emails ADD CONSTRAINT emails_type_check CHECK (
  type IN (
    'login_link', 'invitation', 'session_limit', 'webhook_disabled', 'new_passkey', 'new_browser', 'member_invitation',
    'join_requests', 'join_request_approved', 'join_request_declined', 'page_codes_paused'
  )
) NOT VALID;
-- step: transaction
ALTER TABLE emails VALIDATE CONSTRAINT emails_type_check;
-- step: transaction
-- JSON: what the person has entered who wants to join, if the login request came from such a page.
ALTER TABLE login_links ADD COLUMN joining text;
-- A response to a form with which nobody logs in has no session.
ALTER TABLE form_responses ALTER COLUMN session_id DROP NOT NULL;
-- step: transaction
-- A link with which people become members. Only the hashes of its codes are stored (invitation_codes).
CREATE TABLE invitations (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  note text NOT NULL,
  email text COLLATE "C", -- null: for everyone who has the link
  language text,
  group_ids text NOT NULL, -- JSON
  membership_expires_at timestamptz(3),
  membership_days integer,
  max_uses integer,
  used_count integer NOT NULL DEFAULT 0,
  email_domains text NOT NULL, -- JSON
  needs_approval boolean NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3),
  sealed_code text, -- encrypted; only of one for everyone, so that its link can be shown again
  maker_type text COLLATE "C" NOT NULL, -- the API key or operator that made it or changed it last: it ends with them
  maker_id text COLLATE "C",
  sent_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, id)
);
CREATE INDEX invitations_email ON invitations (site_id, email) WHERE email IS NOT NULL;
CREATE INDEX invitations_maker ON invitations (site_id, maker_id) WHERE maker_id IS NOT NULL;
CREATE INDEX invitations_by_end ON invitations (expires_at);

CREATE TABLE invitation_codes (
  site_id uuid NOT NULL REFERENCES sites (id),
  code_hash text COLLATE "C" NOT NULL,
  invitation_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, code_hash),
  FOREIGN KEY (site_id, invitation_id) REFERENCES invitations (site_id, id)
);
CREATE INDEX invitation_codes_invitation ON invitation_codes (site_id, invitation_id);

CREATE TABLE invitation_redemptions (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  invitation_id uuid NOT NULL,
  member_id uuid NOT NULL,
  is_new_member boolean NOT NULL,
  redeemed_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, id),
  FOREIGN KEY (site_id, invitation_id) REFERENCES invitations (site_id, id),
  -- The version before does not know these rows, and deletes members too.
  FOREIGN KEY (site_id, member_id) REFERENCES members (site_id, id) ON DELETE CASCADE
);
CREATE INDEX invitation_redemptions_invitation ON invitation_redemptions (site_id, invitation_id, id);
CREATE INDEX invitation_redemptions_member ON invitation_redemptions (site_id, member_id);

-- A person with a verified email address who asks to become a member, or a member who asks for access.
CREATE TABLE join_requests (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  email text COLLATE "C" NOT NULL,
  display_name text,
  message text,
  path text,
  language text NOT NULL,
  member_id uuid, -- without a foreign key: deleting the member deletes the row
  invitation_id uuid,
  status text COLLATE "C" NOT NULL CHECK (status IN ('pending', 'approved', 'declined', 'expired')),
  announced_at timestamptz(3), -- when operators were told of it; null if they were not yet
  created_at timestamptz(3) NOT NULL,
  ends_at timestamptz(3) NOT NULL, -- when it expires if it is pending, and when the row is purged otherwise
  decided_at timestamptz(3),
  decided_by text, -- JSON: the actor
  PRIMARY KEY (site_id, id)
);
CREATE UNIQUE INDEX join_requests_pending ON join_requests (site_id, email) WHERE status = 'pending';
CREATE INDEX join_requests_email ON join_requests (site_id, email);
CREATE INDEX join_requests_status ON join_requests (site_id, status, id);
CREATE INDEX join_requests_member ON join_requests (site_id, member_id) WHERE member_id IS NOT NULL;
CREATE INDEX join_requests_announced ON join_requests (site_id, announced_at) WHERE announced_at IS NOT NULL;
CREATE INDEX join_requests_unannounced ON join_requests (site_id, id) WHERE announced_at IS NULL AND status = 'pending';
CREATE INDEX join_requests_by_end ON join_requests (ends_at);

-- What all page codes of a site have in common.
CREATE TABLE page_code_settings (
  site_id uuid NOT NULL REFERENCES sites (id),
  salt text NOT NULL, -- of the hashes of the codes
  paused_until timestamptz(3), -- until when chosen codes are not accepted
  PRIMARY KEY (site_id)
);

-- A code that gives access to pages without a login.
CREATE TABLE page_codes (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  label text NOT NULL,
  type text COLLATE "C" NOT NULL CHECK (type IN ('words', 'characters', 'chosen')),
  code_hash text COLLATE "C" NOT NULL,
  sealed_code text, -- encrypted; null for one that was chosen
  expires_at timestamptz(3),
  max_uses integer,
  used_count integer NOT NULL DEFAULT 0,
  last_used_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, id)
);
CREATE UNIQUE INDEX page_codes_code_hash ON page_codes (site_id, code_hash);

-- A browser in which a page code was entered, on one host. Changing or revoking the code deletes its passes.
CREATE TABLE page_passes (
  site_id uuid NOT NULL REFERENCES sites (id),
  token_hash text COLLATE "C" NOT NULL,
  page_code_id uuid NOT NULL,
  domain text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, token_hash, page_code_id),
  FOREIGN KEY (site_id, page_code_id) REFERENCES page_codes (site_id, id)
);
CREATE INDEX page_passes_code ON page_passes (site_id, page_code_id);
CREATE INDEX page_passes_by_end ON page_passes (expires_at);
