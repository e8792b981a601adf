-- The tables of PostgreSQL. `site_id` comes first in every key and index; only the indexes by which jobs find what is due,
-- over all sites at once, begin with a time. On Citus the tables are distributed by `site_id` afterwards.
-- usable from: 0001-schema
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- Sites ---------------------------------------------------------------------------------------------------------------

-- A site: a website with members. One hidden site is the operator tenant, whose members are the operators.
CREATE TABLE sites (
  id uuid PRIMARY KEY,
  slug text COLLATE "C" NOT NULL,
  title text NOT NULL,
  domain text COLLATE "C", -- the primary host, with its port
  status text NOT NULL CHECK (status IN ('active', 'suspended')),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  scheme text NOT NULL DEFAULT 'https' CHECK (scheme IN ('https', 'http')),
  languages text, -- JSON; null for all
  sign_up_policy text NOT NULL DEFAULT 'members_only'
    CHECK (sign_up_policy IN ('members_only', 'allowed_domains', 'open')),
  sign_up_domains text NOT NULL DEFAULT '[]', -- JSON
  color text,
  logo_version text,
  operator_host text, -- only of the operator tenant: the host of GATEHOUSE_PUBLIC_URL, written at each start
  further_hosts text NOT NULL DEFAULT '[]', -- JSON: the hosts after the primary one
  max_sessions integer NOT NULL DEFAULT 50, -- how many a member may have at the same time
  identity_headers text, -- JSON; null for the default
  -- Whether members can create access tokens on their account page.
  members_create_tokens boolean NOT NULL DEFAULT false,
  time_zone text NOT NULL DEFAULT 'UTC', -- in which the days of the site begin and end
  CONSTRAINT sites_slug UNIQUE (slug)
);
-- Partial, so that the domain is no key of the row: a change of it does not keep others from writing on the site.
CREATE UNIQUE INDEX sites_domain ON sites (domain) WHERE domain IS NOT NULL;

-- A host of a site, by which the site is found. Each host belongs to one site.
CREATE TABLE site_hosts (
  site_id uuid NOT NULL REFERENCES sites (id),
  domain text COLLATE "C" NOT NULL,
  bare_name text COLLATE "C", -- the host without `www.` and port
  reserved_name text COLLATE "C", -- the bare name, in one row of each site and name, so that it is unique
  claim_reported_at timestamptz(3), -- when the site was last notified that another one was refused the name
  PRIMARY KEY (site_id, domain)
);
CREATE UNIQUE INDEX site_hosts_domain ON site_hosts (domain);
-- Proxies choose a site by the host name and pass on the port of the request: a host name belongs to one host on every port.
-- On the local machine, sites differ by port.
CREATE UNIQUE INDEX site_hosts_name ON site_hosts (split_part(domain, ':', 1))
  WHERE split_part(domain, ':', 1) !~ '^localhost$|\.localhost$|^127\..*[0-9]$';
CREATE INDEX site_hosts_bare_name ON site_hosts (bare_name);
CREATE UNIQUE INDEX site_hosts_reserved_name ON site_hosts (reserved_name);

-- The logo of a site.
CREATE TABLE site_logos (
  site_id uuid PRIMARY KEY REFERENCES sites (id),
  media_type text NOT NULL,
  content text NOT NULL -- Base64
);

-- The access rules of a site, as a whole.
CREATE TABLE access_rules (
  site_id uuid PRIMARY KEY REFERENCES sites (id),
  rules text NOT NULL, -- JSON
  updated_at timestamptz(3) NOT NULL
);

-- What transactions of a site lock instead of its rows in tables that Citus has whole on every node: a row of the site's
-- own is on one node, so that no other site waits for it.
CREATE TABLE site_locks (
  site_id uuid NOT NULL REFERENCES sites (id),
  subject text COLLATE "C" NOT NULL,
  PRIMARY KEY (site_id, subject)
);

-- A key with which Gatehouse signs the tokens of a site.
CREATE TABLE signing_keys (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  public_key text COLLATE "C" NOT NULL,
  secret text NOT NULL, -- the private key, encrypted
  signs_from timestamptz(3) NOT NULL,
  published_until timestamptz(3), -- null for the newest key
  PRIMARY KEY (site_id, id)
);
CREATE INDEX signing_keys_by_end ON signing_keys (site_id, published_until) WHERE published_until IS NOT NULL;

-- The API -------------------------------------------------------------------------------------------------------------

-- An API key of a site. Only its hash is stored.
CREATE TABLE api_keys (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  name text NOT NULL,
  hash text COLLATE "C" NOT NULL,
  last4 text NOT NULL, -- the last characters of the key
  permissions text NOT NULL, -- JSON
  rate_limit integer,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  replaced_by uuid,
  PRIMARY KEY (site_id, id),
  CONSTRAINT api_keys_hash UNIQUE (hash)
);

-- The response to a request with an idempotency key, for a repetition.
CREATE TABLE idempotency_keys (
  site_id uuid NOT NULL REFERENCES sites (id),
  key text COLLATE "C" NOT NULL,
  fingerprint text NOT NULL, -- of the request
  response text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- An item that was deleted less than a day ago, so that a cursor on it still finds its position.
CREATE TABLE cursor_tombstones (
  site_id uuid NOT NULL REFERENCES sites (id),
  list text COLLATE "C" NOT NULL,
  item_id uuid NOT NULL,
  sort_keys text,
  deleted_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, list, item_id)
);
CREATE INDEX cursor_tombstones_by_age ON cursor_tombstones (deleted_at);

-- Events --------------------------------------------------------------------------------------------------------------

-- The last position in the feed of a site. Its row is locked until the commit, so positions are in the order of commits.
CREATE TABLE event_heads (
  site_id uuid PRIMARY KEY REFERENCES sites (id),
  position bigint NOT NULL,
  oldest_at timestamptz(3) NOT NULL, -- the time of the oldest event: an index of all events by time would cost too much
  -- The numbers of members, changed with the events. They hold once every event up to the position is counted.
  counted bigint NOT NULL DEFAULT 0,
  members integer NOT NULL DEFAULT 0,
  blocked integer NOT NULL DEFAULT 0,
  paid integer NOT NULL DEFAULT 0,
  verified integer NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
CREATE INDEX event_heads_by_age ON event_heads (oldest_at);

-- An event: something that changed on a site, who changed it, and from where. Not of the site by a foreign key: the
-- transaction has updated the row of event_heads, and checking each event as well took a tenth of a bulk create.
CREATE TABLE events (
  site_id uuid NOT NULL,
  position bigint NOT NULL,
  id uuid NOT NULL,
  type text COLLATE "C" NOT NULL,
  occurred_at timestamptz(3) NOT NULL,
  actor_type text NOT NULL,
  actor_id text,
  actor_name text,
  request_id text,
  member_id uuid,
  group_id uuid,
  data text NOT NULL, -- JSON
  ip_address text,
  PRIMARY KEY (site_id, position)
);
CREATE UNIQUE INDEX events_id ON events (site_id, id);
CREATE INDEX events_by_type ON events (site_id, type, position);
CREATE INDEX events_by_member ON events (site_id, member_id, position) WHERE member_id IS NOT NULL;
CREATE INDEX events_by_group ON events (site_id, group_id, position) WHERE group_id IS NOT NULL;
CREATE INDEX events_by_actor_type ON events (site_id, actor_type, position);
CREATE INDEX events_by_actor ON events (site_id, actor_id, position) WHERE actor_id IS NOT NULL;
CREATE INDEX events_logins ON events (site_id, occurred_at) WHERE type = 'member.login';

-- How much happened on a site in a quarter of an hour.
CREATE TABLE activity_counts (
  site_id uuid NOT NULL REFERENCES sites (id),
  starts_at timestamptz(3) NOT NULL,
  created integer NOT NULL, -- members
  logins integer NOT NULL,
  PRIMARY KEY (site_id, starts_at)
) WITH (fillfactor = 50);
CREATE INDEX activity_counts_by_age ON activity_counts (starts_at);

-- Members and access groups -------------------------------------------------------------------------------------------

-- An access group. A scope group belongs to a source.
CREATE TABLE access_groups (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  name text COLLATE "C" NOT NULL,
  search_text text COLLATE "C" NOT NULL,
  description text,
  type text COLLATE "C" NOT NULL CHECK (type IN ('custom', 'scope')),
  -- Every membership, those that have expired and are not yet deleted included.
  membership_count integer NOT NULL DEFAULT 0 CHECK (membership_count >= 0),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  source_id uuid,
  max_sessions integer, -- a limit of its own; null for that of the site
  PRIMARY KEY (site_id, id),
  CONSTRAINT access_groups_name UNIQUE (site_id, name)
);

-- An access group that is deleted, but for its memberships: these are deleted a few at a time afterwards, and refer to their
-- group by no foreign key.
CREATE TABLE deleted_groups (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  deleted_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, id)
);
CREATE INDEX deleted_groups_by_age ON deleted_groups (deleted_at);

-- A member of a site; in the operator tenant, an operator.
CREATE TABLE members (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  email text COLLATE "C" NOT NULL,
  display_name text,
  name_key text COLLATE "C", -- the display name, folded, to sort by
  search_text text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL CHECK (status IN ('active', 'blocked')),
  verified boolean,
  paid boolean,
  registered_at timestamptz(3),
  last_login_at timestamptz(3),
  created_at timestamptz(3) NOT NULL, -- the time within the id, so the order of ids is the order of creation
  updated_at timestamptz(3) NOT NULL,
  -- The request that created the member. The requests of an import share one id, so that its members can be listed for as
  -- long as they exist; events are purged earlier.
  created_by_request uuid,
  PRIMARY KEY (site_id, id),
  CONSTRAINT members_email UNIQUE (site_id, email)
);
CREATE INDEX members_by_update ON members (site_id, updated_at, id);
CREATE INDEX members_by_registration ON members (site_id, registered_at, id);
CREATE INDEX members_by_login ON members (site_id, last_login_at, id);
CREATE INDEX members_by_name ON members (site_id, name_key, id);
CREATE INDEX members_by_status ON members (site_id, status, paid, verified, id);
CREATE INDEX members_by_request ON members (site_id, created_by_request, id) WHERE created_by_request IS NOT NULL;
CREATE INDEX members_text ON members USING gin (site_id, search_text gin_trgm_ops);
-- One in 64 members of each site, in the order of the random part of their ids: a sample, by which a search estimates how
-- many members have a text, however they are distributed.
CREATE INDEX members_sample ON members (site_id, right(id::text, 12) COLLATE "C") INCLUDE (id, search_text)
  WHERE right(id::text, 12) COLLATE "C" < '04';
-- By its statistics the planner would take a site that has just been filled for an empty one, and read all its members. So
-- it expects the same share of the table for each site.
ALTER TABLE members ALTER COLUMN site_id SET STATISTICS 0;

-- The membership of a member in an access group. Not of the group by a foreign key: see deleted_groups.
CREATE TABLE memberships (
  site_id uuid NOT NULL REFERENCES sites (id),
  group_id uuid NOT NULL,
  member_id uuid NOT NULL,
  source text COLLATE "C" NOT NULL,
  added_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  PRIMARY KEY (site_id, group_id, member_id),
  FOREIGN KEY (site_id, member_id) REFERENCES members (site_id, id)
);
CREATE INDEX memberships_by_member ON memberships (site_id, member_id, group_id, expires_at);
CREATE INDEX memberships_by_expiry ON memberships (site_id, group_id, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX memberships_due ON memberships (expires_at) WHERE expires_at IS NOT NULL;

-- Logins --------------------------------------------------------------------------------------------------------------

-- A login request, and the link that it leads to. Every address that requests one has a row, of a member or not; only the
-- row of a member gets a token.
CREATE TABLE login_links (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  email text COLLATE "C" NOT NULL,
  member_id uuid,
  token_hash text COLLATE "C",
  browser_hash text COLLATE "C",
  known_browser_id uuid, -- the known browser that requested the link, if it was one
  code text, -- until the email is written
  code_hash text,
  tries integer NOT NULL DEFAULT 0,
  next_path text NOT NULL,
  language text NOT NULL,
  origin text, -- where the login was requested, which is where the link leads; null for the site's domain
  status text COLLATE "C" NOT NULL CHECK (status IN ('requested', 'processed')),
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  session_ends_at timestamptz(3), -- when the session ends at the latest; only of a link created by an API key that expires
  -- The session that the link opened in a browser that had not requested it. Only its code works from then on.
  used_session_id uuid,
  PRIMARY KEY (site_id, id)
);
CREATE UNIQUE INDEX login_links_token ON login_links (site_id, token_hash) WHERE token_hash IS NOT NULL;
CREATE UNIQUE INDEX login_links_browser ON login_links (site_id, browser_hash) WHERE browser_hash IS NOT NULL;
CREATE INDEX login_links_email ON login_links (site_id, email);
CREATE INDEX login_links_member ON login_links (site_id, member_id) WHERE member_id IS NOT NULL;
CREATE INDEX login_links_requested ON login_links (site_id, id) WHERE status = 'requested';
CREATE INDEX login_links_by_age ON login_links (created_at) WHERE status = 'processed';

-- A session of a member in a browser. Only the hash of its cookie is stored.
CREATE TABLE sessions (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  member_id uuid NOT NULL,
  token_hash text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  last_seen_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  user_agent text,
  ip_address text,
  ends_at timestamptz(3), -- when it ends at the latest; see login_links
  by_passkey boolean NOT NULL DEFAULT false, -- whether it was opened with a passkey
  PRIMARY KEY (site_id, id),
  FOREIGN KEY (site_id, member_id) REFERENCES members (site_id, id)
);
CREATE UNIQUE INDEX sessions_token ON sessions (site_id, token_hash);
CREATE INDEX sessions_member ON sessions (site_id, member_id, id);
CREATE INDEX sessions_by_age ON sessions (expires_at);

-- The cookie of a session on a further host of its site.
CREATE TABLE session_hosts (
  site_id uuid NOT NULL,
  token_hash text COLLATE "C" NOT NULL,
  session_id uuid NOT NULL,
  domain text COLLATE "C" NOT NULL,
  PRIMARY KEY (site_id, token_hash),
  UNIQUE (site_id, session_id, domain),
  FOREIGN KEY (site_id, session_id) REFERENCES sessions (site_id, id) ON DELETE CASCADE
);

-- A ticket with which a browser carries a login from the primary host to another one.
CREATE TABLE host_tickets (
  site_id uuid NOT NULL,
  ticket_hash text COLLATE "C" NOT NULL,
  session_id uuid NOT NULL,
  domain text COLLATE "C" NOT NULL,
  browser_hash text COLLATE "C" NOT NULL,
  next_path text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, ticket_hash),
  FOREIGN KEY (site_id, session_id) REFERENCES sessions (site_id, id) ON DELETE CASCADE
);
CREATE INDEX host_tickets_session ON host_tickets (site_id, session_id);
CREATE INDEX host_tickets_expired ON host_tickets (expires_at);

-- What a browser got for a form that works once, such as that of a login link, in case it sends the form twice.
CREATE TABLE form_responses (
  site_id uuid NOT NULL,
  form_hash text COLLATE "C" NOT NULL,
  session_id uuid NOT NULL,
  reply text NOT NULL, -- encrypted with a key that only the browser has
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, form_hash),
  FOREIGN KEY (site_id, session_id) REFERENCES sessions (site_id, id) ON DELETE CASCADE
);
CREATE INDEX form_responses_session ON form_responses (site_id, session_id);
CREATE INDEX form_responses_by_age ON form_responses (created_at);

-- A browser in which a member has logged in, recognized by a signed cookie. It gives no access: only a budget of login
-- requests that nobody else can use up.
CREATE TABLE known_browsers (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  member_id uuid NOT NULL,
  token_hash text COLLATE "C" NOT NULL, -- the same for all members who log in with one browser
  last_login_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, id),
  FOREIGN KEY (site_id, member_id) REFERENCES members (site_id, id)
);
CREATE UNIQUE INDEX known_browsers_token ON known_browsers (site_id, token_hash, member_id);
CREATE INDEX known_browsers_member ON known_browsers (site_id, member_id, last_login_at);
CREATE INDEX known_browsers_by_age ON known_browsers (last_login_at);

-- The key that signs the cookies of known browsers, created at the first login on a site.
CREATE TABLE known_browser_keys (
  site_id uuid PRIMARY KEY REFERENCES sites (id),
  signing_key text COLLATE "C" NOT NULL
);

-- A passkey of a member.
CREATE TABLE passkeys (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  member_id uuid NOT NULL,
  credential_id text COLLATE "C" NOT NULL,
  public_key text NOT NULL, -- base64url
  counter bigint NOT NULL,
  transports text NOT NULL, -- JSON
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
CREATE INDEX passkey_challenges_by_age ON passkey_challenges (expires_at);

-- A credential of a member for a program, such as a feed reader. Only its hash is stored.
CREATE TABLE access_tokens (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  member_id uuid NOT NULL,
  token_hash text COLLATE "C" NOT NULL,
  name text NOT NULL,
  path_prefix text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  PRIMARY KEY (site_id, id),
  FOREIGN KEY (site_id, member_id) REFERENCES members (site_id, id)
);
CREATE UNIQUE INDEX access_tokens_token ON access_tokens (site_id, token_hash);
CREATE INDEX access_tokens_member ON access_tokens (site_id, member_id, id);
CREATE INDEX access_tokens_expired ON access_tokens (expires_at) WHERE expires_at IS NOT NULL;

-- Emails --------------------------------------------------------------------------------------------------------------

-- An email that waits or was sent.
CREATE TABLE emails (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  type text COLLATE "C" NOT NULL CHECK (
    type IN ('login_link', 'invitation', 'session_limit', 'webhook_disabled', 'new_passkey', 'new_browser')
  ),
  recipient text NOT NULL,
  member_id uuid,
  login_link_id uuid,
  subject text NOT NULL, -- without the code that logs in
  -- JSON. Null once nobody needs to read it again: a login link in it works for everyone who reads it.
  content text,
  status text COLLATE "C" NOT NULL CHECK (status IN ('waiting', 'sent', 'not_sent', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3),
  last_error text,
  created_at timestamptz(3) NOT NULL,
  sent_at timestamptz(3),
  mail_server_reply text, -- what the mail server said when it rejected the email
  PRIMARY KEY (site_id, id)
);
CREATE INDEX emails_waiting ON emails (site_id, next_attempt_at) WHERE status = 'waiting';
CREATE INDEX emails_due ON emails (next_attempt_at, site_id) WHERE status = 'waiting';
CREATE INDEX emails_member ON emails (site_id, member_id) WHERE member_id IS NOT NULL;
CREATE INDEX emails_login_link ON emails (site_id, login_link_id) WHERE login_link_id IS NOT NULL;
CREATE INDEX emails_by_status ON emails (site_id, status, id);
CREATE INDEX emails_by_age ON emails (created_at);
CREATE INDEX emails_with_content ON emails (created_at) WHERE content IS NOT NULL;

-- How many emails were sent in an hour, and how many were withheld because there had been enough. It contains no address.
CREATE TABLE email_budgets (
  site_id uuid NOT NULL REFERENCES sites (id),
  starts_at timestamptz(3) NOT NULL, -- the beginning of the hour
  budget text COLLATE "C" NOT NULL CHECK (budget IN ('mailbox', 'sender', 'sign_up', 'known_browser')),
  subject_hash text COLLATE "C" NOT NULL,
  sent integer NOT NULL,
  withheld integer NOT NULL,
  withheld_at timestamptz(3), -- the last time
  PRIMARY KEY (site_id, starts_at, budget, subject_hash)
);
CREATE INDEX email_budgets_withheld ON email_budgets (site_id, starts_at) WHERE withheld > 0;
CREATE INDEX email_budgets_by_age ON email_budgets (starts_at) WHERE withheld = 0;
CREATE INDEX email_budgets_withheld_by_age ON email_budgets (starts_at) WHERE withheld > 0;

-- Operators -----------------------------------------------------------------------------------------------------------

-- What an operator, a member of the operator tenant, may do on a site. On Citus it is on every node, as a person has
-- roles on many sites and is a member of another one.
CREATE TABLE operator_roles (
  site_id uuid NOT NULL REFERENCES sites (id),
  operator_id uuid NOT NULL,
  -- A UUIDv7 of the role: the id of the operator that the site sees. That of the person is the same on all sites.
  id uuid NOT NULL,
  role text COLLATE "C" NOT NULL CHECK (role IN ('owner', 'admin', 'support', 'viewer')),
  invited_name text, -- all that the site knows about the person before the first login there
  session_id uuid, -- of the last login
  last_login_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, operator_id)
);
CREATE INDEX operator_roles_operator ON operator_roles (operator_id, site_id);
CREATE UNIQUE INDEX operator_roles_id ON operator_roles (site_id, id);

-- A token with which the dashboard calls the API for one site, as long as the session and the role exist. It is a row of the
-- operator tenant, like the session: on Citus both are on the same node.
CREATE TABLE operator_tokens (
  site_id uuid NOT NULL REFERENCES sites (id),
  hash text COLLATE "C" NOT NULL,
  operated_site_id uuid NOT NULL, -- the site that it is for
  operator_id uuid NOT NULL,
  session_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, hash)
);
CREATE INDEX operator_tokens_by_age ON operator_tokens (expires_at);
CREATE INDEX operator_tokens_operator ON operator_tokens (site_id, operator_id);

-- A token that a start prints, with which the first owner is created. Each start of a process has its own, so that the links
-- of several processes are valid side by side.
CREATE TABLE setup_tokens (
  site_id uuid NOT NULL REFERENCES sites (id),
  hash text COLLATE "C" NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, hash)
);

-- Sources -------------------------------------------------------------------------------------------------------------

-- A source: an external workspace or list whose collections become scope groups.
CREATE TABLE sources (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  name text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL CHECK (type IN ('program', 'notion', 'list')),
  enabled boolean NOT NULL,
  settings text NOT NULL, -- JSON, by type
  secret text, -- encrypted
  interval_minutes integer NOT NULL,
  max_removed_people integer NOT NULL,
  max_removed_percent integer NOT NULL,
  grace_days integer NOT NULL,
  on_leave text COLLATE "C" NOT NULL CHECK (on_leave IN ('keep', 'block')),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, id),
  CONSTRAINT sources_name UNIQUE (site_id, name)
);

-- A source that is deleted, but for its many rows: these are deleted a few at a time afterwards, and refer to their source by
-- no foreign key.
CREATE TABLE deleted_sources (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  deleted_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, id)
);
CREATE INDEX deleted_sources_by_age ON deleted_sources (deleted_at);

-- A collection of a source that is chosen, or was.
CREATE TABLE source_collections (
  site_id uuid NOT NULL,
  source_id uuid NOT NULL,
  key text COLLATE "C" NOT NULL, -- the identifier of the collection in the workspace
  name text COLLATE "C" NOT NULL,
  columns text NOT NULL, -- JSON: which columns hold the email address, the name, …
  token text, -- of the version that was synchronized last, if the workspace has one
  removed_at timestamptz(3), -- when it was no longer chosen
  missing_since timestamptz(3), -- when the workspace no longer had it
  PRIMARY KEY (site_id, source_id, key),
  FOREIGN KEY (site_id, source_id) REFERENCES sources (site_id, id)
);

-- The scope group of a collection, or of a value of the column that names groups (then without a collection).
CREATE TABLE source_groups (
  site_id uuid NOT NULL,
  source_id uuid NOT NULL,
  collection text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  group_id uuid NOT NULL,
  unused_since timestamptz(3), -- when nobody had the value any more
  PRIMARY KEY (site_id, source_id, collection, value),
  UNIQUE (site_id, group_id),
  FOREIGN KEY (site_id, source_id) REFERENCES sources (site_id, id),
  FOREIGN KEY (site_id, group_id) REFERENCES access_groups (site_id, id)
);

-- A person in a collection after the last synchronization. A membership in a scope group exists while such a person is in it.
CREATE TABLE source_people (
  site_id uuid NOT NULL,
  source_id uuid NOT NULL,
  collection text COLLATE "C" NOT NULL,
  email text COLLATE "C" NOT NULL,
  group_values text NOT NULL, -- JSON: the values of the column that names groups; "" for the group of the collection
  display_name text, -- JSON, if the source has names
  paid boolean, -- if the source knows who has paid
  PRIMARY KEY (site_id, source_id, collection, email)
);
-- People are looked up over all sources of a site: two sources may list the same person.
CREATE INDEX source_people_by_email ON source_people (site_id, email, source_id);

-- A member that a source has created. When the member leaves a collection, its source and key are here until the run has
-- decided what becomes of the member.
CREATE TABLE source_members (
  site_id uuid NOT NULL,
  member_id uuid NOT NULL,
  source_id uuid NOT NULL,
  left_source uuid,
  left_collection text COLLATE "C",
  PRIMARY KEY (site_id, member_id)
);
CREATE INDEX source_members_source ON source_members (site_id, source_id);
CREATE INDEX source_members_left ON source_members (site_id, left_source) WHERE left_source IS NOT NULL;

-- A member who was blocked because of leaving the source. One who was changed since then is not unblocked on return.
CREATE TABLE source_blocks (
  site_id uuid NOT NULL,
  source_id uuid NOT NULL,
  member_id uuid NOT NULL,
  blocked_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, source_id, member_id)
);

-- A run of a source: a synchronization, or a dry run.
CREATE TABLE source_runs (
  site_id uuid NOT NULL,
  id uuid NOT NULL,
  source_id uuid NOT NULL,
  trigger text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL CHECK (status IN ('waiting', 'running', 'succeeded', 'confirmation_required', 'failed')),
  dry_run boolean NOT NULL,
  removals_confirmed boolean NOT NULL,
  list text COLLATE "C", -- JSON: the uploaded list that it applies
  holder text COLLATE "C", -- the process that runs it
  due_at timestamptz(3), -- when it begins, or when the lease of its process ends
  failures integer NOT NULL, -- consecutive failed runs before it
  error text, -- JSON
  result text NOT NULL, -- JSON, by collection
  created_at timestamptz(3) NOT NULL,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  confirmed_run_id uuid, -- the run whose removals it confirms
  groups_to_delete text NOT NULL DEFAULT '[]', -- JSON: the groups that a confirmation would delete
  -- The people whom it names (JSON, by collection), apart from its numbers, because they are erased earlier.
  samples text,
  skipped text,
  claims integer NOT NULL DEFAULT 0, -- how often a process has begun it without ending it
  -- Whether it is the next attempt after the workspace could not be read.
  is_retry boolean NOT NULL DEFAULT false,
  PRIMARY KEY (site_id, id),
  FOREIGN KEY (site_id, source_id) REFERENCES sources (site_id, id)
);
CREATE INDEX source_runs_by_source ON source_runs (site_id, source_id, id);
CREATE INDEX source_runs_due ON source_runs (due_at, site_id) WHERE due_at IS NOT NULL;
CREATE INDEX source_runs_ended ON source_runs (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX source_runs_with_samples ON source_runs (site_id) WHERE samples IS NOT NULL;
CREATE INDEX source_runs_people_ended ON source_runs (ended_at) WHERE samples IS NOT NULL OR skipped IS NOT NULL;

-- A part of a list that a program uploads.
CREATE TABLE source_list_parts (
  site_id uuid NOT NULL,
  source_id uuid NOT NULL,
  collection text COLLATE "C" NOT NULL,
  list text COLLATE "C" NOT NULL,
  part integer NOT NULL,
  people text NOT NULL, -- JSON
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, source_id, collection, list, part)
);
CREATE INDEX source_list_parts_by_age ON source_list_parts (created_at);

-- Webhooks ------------------------------------------------------------------------------------------------------------

-- A webhook: a receiver of the events of a site.
CREATE TABLE webhooks (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  url text NOT NULL, -- encrypted
  host text NOT NULL, -- of the URL: it may be shown, the rest may be secret
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

-- An attempt to send a message to a webhook: one that waits, or what became of it. Not of the webhook by a foreign key,
-- because it is purged long after the webhook.
CREATE TABLE webhook_deliveries (
  site_id uuid NOT NULL,
  id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  trigger text COLLATE "C" NOT NULL CHECK (trigger IN ('event', 'replay', 'test')),
  message_id uuid NOT NULL, -- the event; of its own for a test
  type text COLLATE "C" NOT NULL,
  position bigint, -- of the event in the feed
  attempt integer NOT NULL,
  status text COLLATE "C" NOT NULL CHECK (status IN ('waiting', 'succeeded', 'failed')),
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
CREATE INDEX webhook_deliveries_by_status ON webhook_deliveries (site_id, webhook_id, status, id);
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (site_id, webhook_id, due_at) WHERE status = 'waiting';
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL;

-- Jobs ----------------------------------------------------------------------------------------------------------------

-- Which process does a job over all sites. There is a row only while one does.
CREATE TABLE job_leases (
  job text COLLATE "C" PRIMARY KEY,
  holder uuid NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
