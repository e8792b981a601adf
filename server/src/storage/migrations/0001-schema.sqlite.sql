-- The tables of SQLite. `site_id` comes first in every key and index; only the indexes by which jobs find what is due, over
-- all sites at once, begin with a time.
-- usable from: 0001-schema

-- Sites ---------------------------------------------------------------------------------------------------------------

-- A site: a website with members. One hidden site is the operator tenant, whose members are the operators.
CREATE TABLE sites (
  number INTEGER PRIMARY KEY, -- part of the keys of members_text
  id TEXT NOT NULL,
  slug TEXT NOT NULL,
  title TEXT NOT NULL,
  domain TEXT, -- the primary host, with its port
  status TEXT NOT NULL CHECK (status IN ('active', 'suspended')),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  scheme TEXT NOT NULL DEFAULT 'https' CHECK (scheme IN ('https', 'http')),
  languages TEXT, -- JSON; null for all
  sign_up_policy TEXT NOT NULL DEFAULT 'members_only'
    CHECK (sign_up_policy IN ('members_only', 'allowed_domains', 'open')),
  sign_up_domains TEXT NOT NULL DEFAULT '[]', -- JSON
  color TEXT,
  logo_version TEXT,
  operator_host TEXT, -- only of the operator tenant: the host of GATEHOUSE_PUBLIC_URL, written at each start
  further_hosts TEXT NOT NULL DEFAULT '[]', -- JSON: the hosts after the primary one
  max_sessions INTEGER NOT NULL DEFAULT 50, -- how many a member may have at the same time
  identity_headers TEXT, -- JSON; null for the default
  -- Whether members can create access tokens on their account page.
  members_create_tokens INTEGER NOT NULL DEFAULT 0 CHECK (members_create_tokens IN (0, 1)),
  -- Whether the numbers of the members are in the order of their ids, so that a search can read the text index in the order
  -- of creation. They are not if the clock was set back between two starts.
  member_numbers_in_order INTEGER NOT NULL DEFAULT 1 CHECK (member_numbers_in_order IN (0, 1)),
  time_zone TEXT NOT NULL DEFAULT 'UTC', -- in which the days of the site begin and end
  UNIQUE (id),
  UNIQUE (slug),
  UNIQUE (domain)
) STRICT;

-- A host of a site, by which the site is found. Each host belongs to one site.
CREATE TABLE site_hosts (
  site_id TEXT NOT NULL REFERENCES sites (id),
  domain TEXT NOT NULL,
  bare_name TEXT, -- the host without `www.` and port
  reserved_name TEXT, -- the bare name, in one row of each site and name, so that it is unique
  claim_reported_at TEXT, -- when the site was last notified that another one was refused the name
  PRIMARY KEY (site_id, domain)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX site_hosts_domain ON site_hosts (domain);
-- Proxies choose a site by the host name and pass on the port of the request: a host name belongs to one host on every port.
-- On the local machine, sites differ by port.
CREATE UNIQUE INDEX site_hosts_name ON site_hosts (substr(domain, 1, instr(domain || ':', ':') - 1))
  WHERE NOT (domain || ':' GLOB 'localhost:*' OR domain || ':' GLOB '*.localhost:*' OR domain || ':' GLOB '127.*[0-9]:*');
CREATE INDEX site_hosts_bare_name ON site_hosts (bare_name);
CREATE UNIQUE INDEX site_hosts_reserved_name ON site_hosts (reserved_name);

-- The logo of a site.
CREATE TABLE site_logos (
  site_id TEXT NOT NULL PRIMARY KEY REFERENCES sites (id),
  media_type TEXT NOT NULL,
  content TEXT NOT NULL -- Base64
) STRICT;

-- The access rules of a site, as a whole.
CREATE TABLE access_rules (
  site_id TEXT NOT NULL PRIMARY KEY REFERENCES sites (id),
  rules TEXT NOT NULL, -- JSON
  updated_at TEXT NOT NULL
) STRICT;

-- What transactions of a site lock. SQLite has a single writer, but both stores have the same statements.
CREATE TABLE site_locks (
  site_id TEXT NOT NULL REFERENCES sites (id),
  subject TEXT NOT NULL,
  PRIMARY KEY (site_id, subject)
) STRICT, WITHOUT ROWID;

-- A key with which Gatehouse signs the tokens of a site.
CREATE TABLE signing_keys (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  public_key TEXT NOT NULL,
  secret TEXT NOT NULL, -- the private key, encrypted
  signs_from TEXT NOT NULL,
  published_until TEXT, -- null for the newest key
  PRIMARY KEY (site_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX signing_keys_by_end ON signing_keys (site_id, published_until) WHERE published_until IS NOT NULL;

-- The API -------------------------------------------------------------------------------------------------------------

-- An API key of a site. Only its hash is stored.
CREATE TABLE api_keys (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  hash TEXT NOT NULL,
  last4 TEXT NOT NULL, -- the last characters of the key
  permissions TEXT NOT NULL, -- JSON
  rate_limit INTEGER,
  created_at TEXT NOT NULL,
  expires_at TEXT,
  revoked_at TEXT,
  replaced_by TEXT,
  PRIMARY KEY (site_id, id),
  UNIQUE (hash)
) STRICT, WITHOUT ROWID;

-- The response to a request with an idempotency key, for a repetition.
CREATE TABLE idempotency_keys (
  site_id TEXT NOT NULL REFERENCES sites (id),
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL, -- of the request
  response TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (site_id, key)
) STRICT;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- An item that was deleted less than a day ago, so that a cursor on it still finds its position.
CREATE TABLE cursor_tombstones (
  site_id TEXT NOT NULL REFERENCES sites (id),
  list TEXT NOT NULL,
  item_id TEXT NOT NULL,
  sort_keys TEXT,
  deleted_at TEXT NOT NULL,
  PRIMARY KEY (site_id, list, item_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX cursor_tombstones_by_age ON cursor_tombstones (deleted_at);

-- Events --------------------------------------------------------------------------------------------------------------

-- The last position in the feed of a site. Its row is locked until the commit, so positions are in the order of commits.
CREATE TABLE event_heads (
  site_id TEXT NOT NULL PRIMARY KEY REFERENCES sites (id),
  position INTEGER NOT NULL,
  oldest_at TEXT NOT NULL, -- the time of the oldest event: an index of all events by time would cost too much
  -- The numbers of members, changed with the events. They hold once every event up to the position is counted.
  counted INTEGER NOT NULL DEFAULT 0,
  members INTEGER NOT NULL DEFAULT 0,
  blocked INTEGER NOT NULL DEFAULT 0,
  paid INTEGER NOT NULL DEFAULT 0,
  verified INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX event_heads_by_age ON event_heads (oldest_at);

-- An event: something that changed on a site, who changed it, and from where.
CREATE TABLE events (
  site_id TEXT NOT NULL REFERENCES sites (id),
  position INTEGER NOT NULL,
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  occurred_at TEXT NOT NULL,
  actor_type TEXT NOT NULL,
  actor_id TEXT,
  actor_name TEXT,
  request_id TEXT,
  member_id TEXT,
  group_id TEXT,
  data TEXT NOT NULL, -- JSON
  ip_address TEXT,
  PRIMARY KEY (site_id, position)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX events_id ON events (site_id, id);
CREATE INDEX events_by_type ON events (site_id, type, position);
CREATE INDEX events_by_member ON events (site_id, member_id, position) WHERE member_id IS NOT NULL;
CREATE INDEX events_by_group ON events (site_id, group_id, position) WHERE group_id IS NOT NULL;
CREATE INDEX events_by_actor_type ON events (site_id, actor_type, position);
CREATE INDEX events_by_actor ON events (site_id, actor_id, position) WHERE actor_id IS NOT NULL;
CREATE INDEX events_logins ON events (site_id, occurred_at) WHERE type = 'member.login';

-- How much happened on a site in a quarter of an hour.
CREATE TABLE activity_counts (
  site_id TEXT NOT NULL REFERENCES sites (id),
  starts_at TEXT NOT NULL,
  created INTEGER NOT NULL, -- members
  logins INTEGER NOT NULL,
  PRIMARY KEY (site_id, starts_at)
) STRICT, WITHOUT ROWID;
CREATE INDEX activity_counts_by_age ON activity_counts (starts_at);

-- Members and access groups -------------------------------------------------------------------------------------------

-- An access group. A scope group belongs to a source.
CREATE TABLE access_groups (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  search_text TEXT NOT NULL,
  description TEXT,
  type TEXT NOT NULL CHECK (type IN ('custom', 'scope')),
  -- Every membership, those that have expired and are not yet deleted included.
  membership_count INTEGER NOT NULL DEFAULT 0 CHECK (membership_count >= 0),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  source_id TEXT,
  max_sessions INTEGER, -- a limit of its own; null for that of the site
  PRIMARY KEY (site_id, id),
  UNIQUE (site_id, name)
) STRICT, WITHOUT ROWID;

-- An access group that is deleted, but for its memberships: these are deleted a few at a time afterwards, and refer to their
-- group by no foreign key.
CREATE TABLE deleted_groups (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  deleted_at TEXT NOT NULL,
  PRIMARY KEY (site_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX deleted_groups_by_age ON deleted_groups (deleted_at);

-- A member of a site; in the operator tenant, an operator.
CREATE TABLE members (
  number INTEGER PRIMARY KEY, -- part of the key of members_text; a bare rowid may change when the file is compacted
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  email TEXT NOT NULL,
  display_name TEXT,
  name_key TEXT, -- the display name, folded, to sort by
  search_text TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'blocked')),
  verified INTEGER CHECK (verified IN (0, 1)),
  paid INTEGER CHECK (paid IN (0, 1)),
  registered_at TEXT,
  last_login_at TEXT,
  created_at TEXT NOT NULL, -- the time within the id, so the order of ids is the order of creation
  updated_at TEXT NOT NULL,
  -- The request that created the member. The requests of an import share one id, so that its members can be listed for as
  -- long as they exist; events are purged earlier.
  created_by_request TEXT,
  UNIQUE (site_id, id),
  UNIQUE (site_id, email)
) STRICT;
CREATE INDEX members_by_update ON members (site_id, updated_at, id);
CREATE INDEX members_by_registration ON members (site_id, registered_at, id);
CREATE INDEX members_by_login ON members (site_id, last_login_at, id);
CREATE INDEX members_by_name ON members (site_id, name_key, id);
CREATE INDEX members_by_status ON members (site_id, status, paid, verified, id);
CREATE INDEX members_by_request ON members (site_id, created_by_request, id) WHERE created_by_request IS NOT NULL;
CREATE TRIGGER members_number AFTER INSERT ON members
  WHEN EXISTS (SELECT 1 FROM members WHERE site_id = NEW.site_id AND id > NEW.id)
BEGIN
  UPDATE sites SET member_numbers_in_order = 0 WHERE id = NEW.site_id;
END;

-- The trigrams of the search text of a member. The key of a row is the number of the site and that of the member, so that
-- the members of a site are one range of keys, and a search never reads those of another one.
CREATE VIRTUAL TABLE members_text USING fts5 (
  search_text, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);
-- A search text that the open transaction has added: the index takes all of them at once, just before the commit. Added one
-- by one by a trigger, each would be a segment of the index of its own, which takes four times as long.
CREATE TABLE members_text_queue (
  key INTEGER PRIMARY KEY, -- as in members_text
  search_text TEXT NOT NULL
) STRICT;
CREATE TRIGGER members_text_insert AFTER INSERT ON members BEGIN
  INSERT INTO members_text_queue (key, search_text)
  VALUES (((SELECT number FROM sites WHERE id = NEW.site_id) << 40) | NEW.number, NEW.search_text);
END;
CREATE TRIGGER members_text_delete AFTER DELETE ON members BEGIN
  DELETE FROM members_text_queue WHERE key = ((SELECT number FROM sites WHERE id = OLD.site_id) << 40) | OLD.number;
  DELETE FROM members_text WHERE rowid = ((SELECT number FROM sites WHERE id = OLD.site_id) << 40) | OLD.number;
END;
CREATE TRIGGER members_text_update AFTER UPDATE OF search_text ON members WHEN NEW.search_text <> OLD.search_text BEGIN
  DELETE FROM members_text WHERE rowid = ((SELECT number FROM sites WHERE id = NEW.site_id) << 40) | NEW.number;
  INSERT INTO members_text_queue (key, search_text)
  VALUES (((SELECT number FROM sites WHERE id = NEW.site_id) << 40) | NEW.number, NEW.search_text)
  ON CONFLICT (key) DO UPDATE SET search_text = excluded.search_text;
END;

-- The membership of a member in an access group. Not of the group by a foreign key: see deleted_groups.
CREATE TABLE memberships (
  site_id TEXT NOT NULL REFERENCES sites (id),
  group_id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  source TEXT NOT NULL,
  added_at TEXT NOT NULL,
  expires_at TEXT,
  PRIMARY KEY (site_id, group_id, member_id),
  FOREIGN KEY (site_id, member_id) REFERENCES members (site_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX memberships_by_member ON memberships (site_id, member_id, group_id, expires_at);
CREATE INDEX memberships_by_expiry ON memberships (site_id, group_id, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX memberships_due ON memberships (expires_at) WHERE expires_at IS NOT NULL;

-- Logins --------------------------------------------------------------------------------------------------------------

-- A login request, and the link that it leads to. Every address that requests one has a row, of a member or not; only the
-- row of a member gets a token.
CREATE TABLE login_links (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  email TEXT NOT NULL,
  member_id TEXT,
  token_hash TEXT,
  browser_hash TEXT,
  known_browser_id TEXT, -- the known browser that requested the link, if it was one
  code TEXT, -- until the email is written
  code_hash TEXT,
  tries INTEGER NOT NULL DEFAULT 0,
  next_path TEXT NOT NULL,
  language TEXT NOT NULL,
  origin TEXT, -- where the login was requested, which is where the link leads; null for the site's domain
  status TEXT NOT NULL CHECK (status IN ('requested', 'processed')),
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  session_ends_at TEXT, -- when the session ends at the latest; only of a link created by an API key that expires
  -- The session that the link opened in a browser that had not requested it. Only its code works from then on.
  used_session_id TEXT,
  PRIMARY KEY (site_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX login_links_token ON login_links (site_id, token_hash) WHERE token_hash IS NOT NULL;
CREATE UNIQUE INDEX login_links_browser ON login_links (site_id, browser_hash) WHERE browser_hash IS NOT NULL;
CREATE INDEX login_links_email ON login_links (site_id, email);
CREATE INDEX login_links_member ON login_links (site_id, member_id) WHERE member_id IS NOT NULL;
CREATE INDEX login_links_requested ON login_links (site_id, id) WHERE status = 'requested';
CREATE INDEX login_links_by_age ON login_links (created_at) WHERE status = 'processed';

-- A session of a member in a browser. Only the hash of its cookie is stored.
CREATE TABLE sessions (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  token_hash TEXT NOT NULL,
  created_at TEXT NOT NULL,
  last_seen_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  user_agent TEXT,
  ip_address TEXT,
  ends_at TEXT, -- when it ends at the latest; see login_links
  by_passkey INTEGER NOT NULL DEFAULT 0 CHECK (by_passkey IN (0, 1)), -- whether it was opened with a passkey
  PRIMARY KEY (site_id, id),
  FOREIGN KEY (site_id, member_id) REFERENCES members (site_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX sessions_token ON sessions (site_id, token_hash);
CREATE INDEX sessions_member ON sessions (site_id, member_id, id);
CREATE INDEX sessions_by_age ON sessions (expires_at);

-- The cookie of a session on a further host of its site.
CREATE TABLE session_hosts (
  site_id TEXT NOT NULL,
  token_hash TEXT NOT NULL,
  session_id TEXT NOT NULL,
  domain TEXT NOT NULL,
  PRIMARY KEY (site_id, token_hash),
  UNIQUE (site_id, session_id, domain),
  FOREIGN KEY (site_id, session_id) REFERENCES sessions (site_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- A ticket with which a browser carries a login from the primary host to another one.
CREATE TABLE host_tickets (
  site_id TEXT NOT NULL,
  ticket_hash TEXT NOT NULL,
  session_id TEXT NOT NULL,
  domain TEXT NOT NULL,
  browser_hash TEXT NOT NULL,
  next_path TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (site_id, ticket_hash),
  FOREIGN KEY (site_id, session_id) REFERENCES sessions (site_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX host_tickets_session ON host_tickets (site_id, session_id);
CREATE INDEX host_tickets_expired ON host_tickets (expires_at);

-- What a browser got for a form that works once, such as that of a login link, in case it sends the form twice.
CREATE TABLE form_responses (
  site_id TEXT NOT NULL,
  form_hash TEXT NOT NULL,
  session_id TEXT NOT NULL,
  reply TEXT NOT NULL, -- encrypted with a key that only the browser has
  created_at TEXT NOT NULL,
  PRIMARY KEY (site_id, form_hash),
  FOREIGN KEY (site_id, session_id) REFERENCES sessions (site_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX form_responses_session ON form_responses (site_id, session_id);
CREATE INDEX form_responses_by_age ON form_responses (created_at);

-- A browser in which a member has logged in, recognized by a signed cookie. It gives no access: only a budget of login
-- requests that nobody else can use up.
CREATE TABLE known_browsers (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  token_hash TEXT NOT NULL, -- the same for all members who log in with one browser
  last_login_at TEXT NOT NULL,
  PRIMARY KEY (site_id, id),
  FOREIGN KEY (site_id, member_id) REFERENCES members (site_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX known_browsers_token ON known_browsers (site_id, token_hash, member_id);
CREATE INDEX known_browsers_member ON known_browsers (site_id, member_id, last_login_at);
CREATE INDEX known_browsers_by_age ON known_browsers (last_login_at);

-- The key that signs the cookies of known browsers, created at the first login on a site.
CREATE TABLE known_browser_keys (
  site_id TEXT NOT NULL PRIMARY KEY REFERENCES sites (id),
  signing_key TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- A passkey of a member.
CREATE TABLE passkeys (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  credential_id TEXT NOT NULL,
  public_key TEXT NOT NULL, -- base64url
  counter INTEGER NOT NULL,
  transports TEXT NOT NULL, -- JSON
  name TEXT NOT NULL,
  created_at TEXT NOT NULL,
  last_used_at TEXT,
  PRIMARY KEY (site_id, id),
  FOREIGN KEY (site_id, member_id) REFERENCES members (site_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX passkeys_credential_id ON passkeys (site_id, credential_id);
CREATE INDEX passkeys_member ON passkeys (site_id, member_id, id);

-- What a passkey has to sign, by the browser that it was given to.
CREATE TABLE passkey_challenges (
  site_id TEXT NOT NULL REFERENCES sites (id),
  browser_hash TEXT NOT NULL,
  purpose TEXT NOT NULL CHECK (purpose IN ('add', 'log_in')),
  challenge TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (site_id, browser_hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX passkey_challenges_by_age ON passkey_challenges (expires_at);

-- A credential of a member for a program, such as a feed reader. Only its hash is stored.
CREATE TABLE access_tokens (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  token_hash TEXT NOT NULL,
  name TEXT NOT NULL,
  path_prefix TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT,
  last_used_at TEXT,
  PRIMARY KEY (site_id, id),
  FOREIGN KEY (site_id, member_id) REFERENCES members (site_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX access_tokens_token ON access_tokens (site_id, token_hash);
CREATE INDEX access_tokens_member ON access_tokens (site_id, member_id, id);
CREATE INDEX access_tokens_expired ON access_tokens (expires_at) WHERE expires_at IS NOT NULL;

-- Emails --------------------------------------------------------------------------------------------------------------

-- An email that waits or was sent.
CREATE TABLE emails (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  type TEXT NOT NULL CHECK (
    type IN ('login_link', 'invitation', 'session_limit', 'webhook_disabled', 'new_passkey', 'new_browser')
  ),
  recipient TEXT NOT NULL,
  member_id TEXT,
  login_link_id TEXT,
  subject TEXT NOT NULL, -- without the code that logs in
  -- JSON. Null once nobody needs to read it again: a login link in it works for everyone who reads it.
  content TEXT,
  status TEXT NOT NULL CHECK (status IN ('waiting', 'sent', 'not_sent', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at TEXT,
  last_error TEXT,
  created_at TEXT NOT NULL,
  sent_at TEXT,
  mail_server_reply TEXT, -- what the mail server said when it rejected the email
  PRIMARY KEY (site_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX emails_waiting ON emails (site_id, next_attempt_at) WHERE status = 'waiting';
CREATE INDEX emails_due ON emails (next_attempt_at, site_id) WHERE status = 'waiting';
CREATE INDEX emails_member ON emails (site_id, member_id) WHERE member_id IS NOT NULL;
CREATE INDEX emails_login_link ON emails (site_id, login_link_id) WHERE login_link_id IS NOT NULL;
CREATE INDEX emails_by_status ON emails (site_id, status, id);
CREATE INDEX emails_by_age ON emails (created_at);
CREATE INDEX emails_with_content ON emails (created_at) WHERE content IS NOT NULL;

-- How many emails were sent in an hour, and how many were withheld because there had been enough. It contains no address.
CREATE TABLE email_budgets (
  site_id TEXT NOT NULL REFERENCES sites (id),
  starts_at TEXT NOT NULL, -- the beginning of the hour
  budget TEXT NOT NULL CHECK (budget IN ('mailbox', 'sender', 'sign_up', 'known_browser')),
  subject_hash TEXT NOT NULL,
  sent INTEGER NOT NULL,
  withheld INTEGER NOT NULL,
  withheld_at TEXT, -- the last time
  PRIMARY KEY (site_id, starts_at, budget, subject_hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX email_budgets_withheld ON email_budgets (site_id, starts_at) WHERE withheld > 0;
CREATE INDEX email_budgets_by_age ON email_budgets (starts_at) WHERE withheld = 0;
CREATE INDEX email_budgets_withheld_by_age ON email_budgets (starts_at) WHERE withheld > 0;

-- Operators -----------------------------------------------------------------------------------------------------------

-- What an operator, a member of the operator tenant, may do on a site.
CREATE TABLE operator_roles (
  site_id TEXT NOT NULL REFERENCES sites (id),
  operator_id TEXT NOT NULL,
  -- A UUIDv7 of the role: the id of the operator that the site sees. That of the person is the same on all sites.
  id TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'support', 'viewer')),
  invited_name TEXT, -- all that the site knows about the person before the first login there
  session_id TEXT, -- of the last login
  last_login_at TEXT,
  created_at TEXT NOT NULL,
  PRIMARY KEY (site_id, operator_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX operator_roles_operator ON operator_roles (operator_id, site_id);
CREATE UNIQUE INDEX operator_roles_id ON operator_roles (site_id, id);

-- A token with which the dashboard calls the API for one site, as long as the session and the role exist. It is a row of the
-- operator tenant, like the session.
CREATE TABLE operator_tokens (
  site_id TEXT NOT NULL REFERENCES sites (id),
  hash TEXT NOT NULL,
  operated_site_id TEXT NOT NULL, -- the site that it is for
  operator_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (site_id, hash),
  UNIQUE (hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX operator_tokens_by_age ON operator_tokens (expires_at);
CREATE INDEX operator_tokens_operator ON operator_tokens (site_id, operator_id);

-- A token that a start prints, with which the first owner is created. Each start of a process has its own, so that the links
-- of several processes are valid side by side.
CREATE TABLE setup_tokens (
  site_id TEXT NOT NULL REFERENCES sites (id),
  hash TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (site_id, hash)
) STRICT, WITHOUT ROWID;

-- Sources -------------------------------------------------------------------------------------------------------------

-- A source: an external workspace or list whose collections become scope groups.
CREATE TABLE sources (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('program', 'notion', 'list')),
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  settings TEXT NOT NULL, -- JSON, by type
  secret TEXT, -- encrypted
  interval_minutes INTEGER NOT NULL,
  max_removed_people INTEGER NOT NULL,
  max_removed_percent INTEGER NOT NULL,
  grace_days INTEGER NOT NULL,
  on_leave TEXT NOT NULL CHECK (on_leave IN ('keep', 'block')),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (site_id, id),
  UNIQUE (site_id, name)
) STRICT, WITHOUT ROWID;

-- A source that is deleted, but for its many rows: these are deleted a few at a time afterwards, and refer to their source by
-- no foreign key.
CREATE TABLE deleted_sources (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  deleted_at TEXT NOT NULL,
  PRIMARY KEY (site_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX deleted_sources_by_age ON deleted_sources (deleted_at);

-- A collection of a source that is chosen, or was.
CREATE TABLE source_collections (
  site_id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  key TEXT NOT NULL, -- the identifier of the collection in the workspace
  name TEXT NOT NULL,
  columns TEXT NOT NULL, -- JSON: which columns hold the email address, the name, …
  token TEXT, -- of the version that was synchronized last, if the workspace has one
  removed_at TEXT, -- when it was no longer chosen
  missing_since TEXT, -- when the workspace no longer had it
  PRIMARY KEY (site_id, source_id, key),
  FOREIGN KEY (site_id, source_id) REFERENCES sources (site_id, id)
) STRICT, WITHOUT ROWID;

-- The scope group of a collection, or of a value of the column that names groups (then without a collection).
CREATE TABLE source_groups (
  site_id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  collection TEXT NOT NULL,
  value TEXT NOT NULL,
  group_id TEXT NOT NULL,
  unused_since TEXT, -- when nobody had the value any more
  PRIMARY KEY (site_id, source_id, collection, value),
  UNIQUE (site_id, group_id),
  FOREIGN KEY (site_id, source_id) REFERENCES sources (site_id, id),
  FOREIGN KEY (site_id, group_id) REFERENCES access_groups (site_id, id)
) STRICT, WITHOUT ROWID;

-- A person in a collection after the last synchronization. A membership in a scope group exists while such a person is in it.
CREATE TABLE source_people (
  site_id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  collection TEXT NOT NULL,
  email TEXT NOT NULL,
  group_values TEXT NOT NULL, -- JSON: the values of the column that names groups; "" for the group of the collection
  display_name TEXT, -- JSON, if the source has names
  paid INTEGER CHECK (paid IN (0, 1)), -- if the source knows who has paid
  PRIMARY KEY (site_id, source_id, collection, email)
) STRICT, WITHOUT ROWID;
-- People are looked up over all sources of a site: two sources may list the same person.
CREATE INDEX source_people_by_email ON source_people (site_id, email, source_id);

-- A member that a source has created. When the member leaves a collection, its source and key are here until the run has
-- decided what becomes of the member.
CREATE TABLE source_members (
  site_id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  left_source TEXT,
  left_collection TEXT,
  PRIMARY KEY (site_id, member_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX source_members_source ON source_members (site_id, source_id);
CREATE INDEX source_members_left ON source_members (site_id, left_source) WHERE left_source IS NOT NULL;

-- A member who was blocked because of leaving the source. One who was changed since then is not unblocked on return.
CREATE TABLE source_blocks (
  site_id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  blocked_at TEXT NOT NULL,
  PRIMARY KEY (site_id, source_id, member_id)
) STRICT, WITHOUT ROWID;

-- A run of a source: a synchronization, or a dry run.
CREATE TABLE source_runs (
  site_id TEXT NOT NULL,
  id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  trigger TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('waiting', 'running', 'succeeded', 'confirmation_required', 'failed')),
  dry_run INTEGER NOT NULL CHECK (dry_run IN (0, 1)),
  removals_confirmed INTEGER NOT NULL CHECK (removals_confirmed IN (0, 1)),
  list TEXT, -- JSON: the uploaded list that it applies
  holder TEXT, -- the process that runs it
  due_at TEXT, -- when it begins, or when the lease of its process ends
  failures INTEGER NOT NULL, -- consecutive failed runs before it
  error TEXT, -- JSON
  result TEXT NOT NULL, -- JSON, by collection
  created_at TEXT NOT NULL,
  started_at TEXT,
  ended_at TEXT,
  confirmed_run_id TEXT, -- the run whose removals it confirms
  groups_to_delete TEXT NOT NULL DEFAULT '[]', -- JSON: the groups that a confirmation would delete
  -- The people whom it names (JSON, by collection), apart from its numbers, because they are erased earlier.
  samples TEXT,
  skipped TEXT,
  claims INTEGER NOT NULL DEFAULT 0, -- how often a process has begun it without ending it
  -- Whether it is the next attempt after the workspace could not be read.
  is_retry INTEGER NOT NULL DEFAULT 0 CHECK (is_retry IN (0, 1)),
  PRIMARY KEY (site_id, id),
  FOREIGN KEY (site_id, source_id) REFERENCES sources (site_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX source_runs_by_source ON source_runs (site_id, source_id, id);
CREATE INDEX source_runs_due ON source_runs (due_at, site_id) WHERE due_at IS NOT NULL;
CREATE INDEX source_runs_ended ON source_runs (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX source_runs_with_samples ON source_runs (site_id) WHERE samples IS NOT NULL;
CREATE INDEX source_runs_people_ended ON source_runs (ended_at) WHERE samples IS NOT NULL OR skipped IS NOT NULL;

-- A part of a list that a program uploads.
CREATE TABLE source_list_parts (
  site_id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  collection TEXT NOT NULL,
  list TEXT NOT NULL,
  part INTEGER NOT NULL,
  people TEXT NOT NULL, -- JSON
  created_at TEXT NOT NULL,
  PRIMARY KEY (site_id, source_id, collection, list, part)
) STRICT, WITHOUT ROWID;
CREATE INDEX source_list_parts_by_age ON source_list_parts (created_at);

-- Webhooks ------------------------------------------------------------------------------------------------------------

-- A webhook: a receiver of the events of a site.
CREATE TABLE webhooks (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  url TEXT NOT NULL, -- encrypted
  host TEXT NOT NULL, -- of the URL: it may be shown, the rest may be secret
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

-- An attempt to send a message to a webhook: one that waits, or what became of it. Not of the webhook by a foreign key,
-- because it is purged long after the webhook.
CREATE TABLE webhook_deliveries (
  site_id TEXT NOT NULL,
  id TEXT NOT NULL,
  webhook_id TEXT NOT NULL,
  trigger TEXT NOT NULL CHECK (trigger IN ('event', 'replay', 'test')),
  message_id TEXT NOT NULL, -- the event; of its own for a test
  type TEXT NOT NULL,
  position INTEGER, -- of the event in the feed
  attempt INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('waiting', 'succeeded', 'failed')),
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
CREATE INDEX webhook_deliveries_by_status ON webhook_deliveries (site_id, webhook_id, status, id);
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (site_id, webhook_id, due_at) WHERE status = 'waiting';
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL;

-- Jobs ----------------------------------------------------------------------------------------------------------------

-- Which process does a job over all sites. There is a row only while one does.
CREATE TABLE job_leases (
  job TEXT NOT NULL PRIMARY KEY,
  holder TEXT NOT NULL,
  expires_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Statistics ----------------------------------------------------------------------------------------------------------

-- Statistics for the planner (https://sqlite.org/fileformat2.html#stat1tab): the rows of an index, and how many of them share
-- its first columns. Without them SQLite may read all rows of a site where an index leads to a few.
ANALYZE sqlite_schema;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('site_hosts', 'site_hosts', '1000 2 1'),
  ('site_hosts', 'site_hosts_domain', '1000 1'),
  ('site_hosts', 'site_hosts_bare_name', '1000 1'),
  ('site_hosts', 'site_hosts_reserved_name', '1000 1'),
  ('idempotency_keys', 'idempotency_keys_by_age', '100000 10'),
  ('cursor_tombstones', 'cursor_tombstones_by_age', '100000 10'),
  ('event_heads', 'event_heads', '1000 1'),
  ('event_heads', 'event_heads_by_age', '1000 2'),
  ('events', 'events', '1000000 100000 1'),
  ('events', 'events_id', '1000000 100000 1'),
  ('events', 'events_by_type', '1000000 100000 10000 1'),
  ('events', 'events_by_member', '1000000 100000 5 1'),
  ('events', 'events_by_group', '500000 50000 500 1'),
  ('events', 'events_by_actor_type', '1000000 100000 30000 1'),
  ('events', 'events_by_actor', '1000000 100000 2000 1'),
  ('events', 'events_logins', '100000 10000 1'),
  ('activity_counts', 'activity_counts', '100000 1000 1'),
  ('activity_counts', 'activity_counts_by_age', '100000 20'),
  ('deleted_groups', 'deleted_groups', '100 10 1'),
  ('deleted_groups', 'deleted_groups_by_age', '100 10'),
  ('memberships', 'memberships', '1000000 100000 1000 1'),
  ('memberships', 'memberships_by_member', '1000000 100000 3 1 1'),
  ('memberships', 'memberships_by_expiry', '100000 10000 100 1'),
  ('memberships', 'memberships_due', '100000 20'),
  ('login_links', 'login_links', '100000 1000 1'),
  ('login_links', 'login_links_token', '100000 1000 1'),
  ('login_links', 'login_links_browser', '100000 1000 1'),
  ('login_links', 'login_links_email', '100000 1000 2'),
  ('login_links', 'login_links_member', '100000 1000 2'),
  ('login_links', 'login_links_requested', '1000 100 1'),
  ('login_links', 'login_links_by_age', '100000 10'),
  ('sessions', 'sessions', '1000000 100000 1'),
  ('sessions', 'sessions_token', '1000000 100000 1'),
  ('sessions', 'sessions_member', '1000000 100000 3 1'),
  ('sessions', 'sessions_by_age', '1000000 10'),
  ('session_hosts', 'session_hosts', '1000000 10000 1'),
  ('session_hosts', 'sqlite_autoindex_session_hosts_2', '1000000 10000 1 1'),
  ('host_tickets', 'host_tickets', '1000 100 1'),
  ('host_tickets', 'host_tickets_session', '1000 100 1'),
  ('host_tickets', 'host_tickets_expired', '1000 10'),
  ('form_responses', 'form_responses', '1000 100 1'),
  ('form_responses', 'form_responses_session', '1000 100 1'),
  ('form_responses', 'form_responses_by_age', '1000 10'),
  ('known_browsers', 'known_browsers', '100000 10000 1'),
  ('known_browsers', 'known_browsers_token', '100000 10000 1 1'),
  ('known_browsers', 'known_browsers_member', '100000 10000 3 1'),
  ('known_browsers', 'known_browsers_by_age', '100000 10'),
  ('access_tokens', 'access_tokens', '100000 10000 1'),
  ('access_tokens', 'access_tokens_token', '100000 10000 1'),
  ('access_tokens', 'access_tokens_member', '100000 10000 3 1'),
  ('access_tokens', 'access_tokens_expired', '10000 10'),
  ('emails', 'emails', '100000 10000 1'),
  ('emails', 'emails_waiting', '1000 100 2'),
  ('emails', 'emails_due', '1000 10 2'),
  ('emails', 'emails_member', '100000 10000 3'),
  ('emails', 'emails_login_link', '100000 10000 1'),
  ('emails', 'emails_by_status', '100000 10000 2500 1'),
  ('emails', 'emails_by_age', '100000 10'),
  ('emails', 'emails_with_content', '1000 10'),
  ('email_budgets', 'email_budgets', '10000 1000 500 200 1'),
  ('email_budgets', 'email_budgets_withheld', '100 20 10'),
  ('email_budgets', 'email_budgets_by_age', '10000 1000'),
  ('email_budgets', 'email_budgets_withheld_by_age', '100 50'),
  ('sources', 'sources', '1000 2 1'),
  ('deleted_sources', 'deleted_sources', '100 10 1'),
  ('deleted_sources', 'deleted_sources_by_age', '100 10'),
  ('source_collections', 'source_collections', '10000 20 10 1'),
  ('source_groups', 'source_groups', '10000 20 10 1 1'),
  ('source_people', 'source_people', '1000000 10000 5000 500 1'),
  ('source_people', 'source_people_by_email', '1000000 10000 2 1'),
  ('source_members', 'source_members', '1000000 10000 1'),
  ('source_members', 'source_members_source', '1000000 10000 5000'),
  ('source_members', 'source_members_left', '1000 100 50'),
  ('source_blocks', 'source_blocks', '1000 100 50 1'),
  ('source_runs', 'source_runs', '100000 1000 1'),
  ('source_runs', 'source_runs_by_source', '100000 1000 500 1'),
  ('source_runs', 'source_runs_due', '100 10 1'),
  ('source_runs', 'source_runs_ended', '100000 10'),
  ('source_runs', 'source_runs_with_samples', '1000 10'),
  ('source_runs', 'source_runs_people_ended', '10000 10'),
  ('source_list_parts', 'source_list_parts', '1000 100 50 50 10 1'),
  ('source_list_parts', 'source_list_parts_by_age', '1000 10'),
  ('webhooks', 'webhooks', '1000 2 1'),
  ('webhooks', 'webhooks_enabled', '1000 2 1'),
  ('webhook_deliveries', 'webhook_deliveries', '1000000 10000 1'),
  ('webhook_deliveries', 'webhook_deliveries_by_webhook', '1000000 10000 5000 1'),
  ('webhook_deliveries', 'webhook_deliveries_by_status', '1000000 10000 5000 1000 1'),
  ('webhook_deliveries', 'webhook_deliveries_waiting', '1000 100 50 1'),
  ('webhook_deliveries', 'webhook_deliveries_ended', '1000000 10');
