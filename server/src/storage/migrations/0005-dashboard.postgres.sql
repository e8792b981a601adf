-- Operators are the members of one hidden site, their realm. It is the only one with a host of its own: that of
-- GATEHOUSE_PUBLIC_URL, written at each start.
ALTER TABLE sites ADD COLUMN realm_host text;

-- What an operator, a member of the realm, may do on a site. Until the first time there, a site knows only what the
-- inviter wrote. On Citus a reference table, as a person has roles on many sites and is a member of another one.
CREATE TABLE operator_roles (
  site_id uuid NOT NULL REFERENCES sites (id),
  operator_id uuid NOT NULL,
  role text COLLATE "C" NOT NULL CHECK (role IN ('owner', 'admin', 'support', 'viewer')),
  invited_name text,
  session_id uuid, -- that of the last time
  last_login_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, operator_id)
);
CREATE INDEX operator_roles_operator ON operator_roles (operator_id, site_id);

-- With these the dashboard speaks to the API for one site: as long as the session and the role are there.
-- On Citus a reference table, as api_keys is: the hash is what names the site, so it is unique without one.
CREATE TABLE operator_tokens (
  site_id uuid NOT NULL REFERENCES sites (id),
  hash text COLLATE "C" NOT NULL,
  operator_id uuid NOT NULL,
  session_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, hash),
  CONSTRAINT operator_tokens_hash UNIQUE (hash)
);
CREATE INDEX operator_tokens_by_age ON operator_tokens (site_id, expires_at);
CREATE INDEX operator_tokens_operator ON operator_tokens (site_id, operator_id);

-- What the first start prints. There is one at most: a later one takes its place.
CREATE TABLE welcome_tokens (
  site_id uuid NOT NULL PRIMARY KEY REFERENCES sites (id),
  hash text COLLATE "C" NOT NULL,
  expires_at timestamptz(3) NOT NULL
);

CREATE TABLE passkeys (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  member_id uuid NOT NULL,
  credential_id text COLLATE "C" NOT NULL,
  public_key text NOT NULL, -- base64url
  counter bigint NOT NULL,
  transports text NOT NULL,
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  PRIMARY KEY (site_id, id),
  FOREIGN KEY (site_id, member_id) REFERENCES members (site_id, id)
);
CREATE UNIQUE INDEX passkeys_credential_id ON passkeys (site_id, credential_id);
CREATE INDEX passkeys_member ON passkeys (site_id, member_id, id);

-- What a passkey has to sign, by the browser that it was given to.
CREATE TABLE passkey_challenges (
  site_id uuid NOT NULL REFERENCES sites (id),
  browser_hash text COLLATE "C" NOT NULL,
  purpose text COLLATE "C" NOT NULL CHECK (purpose IN ('add', 'log_in')),
  challenge text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, browser_hash)
);
CREATE INDEX passkey_challenges_by_age ON passkey_challenges (site_id, expires_at);

-- Where the request came from that made an event happen.
ALTER TABLE events ADD COLUMN client_address text;
CREATE INDEX events_by_actor_type ON events (site_id, actor_type, position);
CREATE INDEX events_by_actor ON events (site_id, actor_id, position) WHERE actor_id IS NOT NULL;
CREATE INDEX events_logins ON events (site_id, occurred_at) WHERE type = 'member.login';

ALTER TABLE mails DROP CONSTRAINT mails_kind_check;
ALTER TABLE mails ADD CONSTRAINT mails_kind_check CHECK (kind IN ('login_link', 'invitation'));
ALTER TABLE mails ADD COLUMN subject text NOT NULL DEFAULT ''; -- without the code that logs in
CREATE INDEX mails_by_state ON mails (site_id, state, id);
