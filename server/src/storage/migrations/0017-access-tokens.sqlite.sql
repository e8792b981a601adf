-- The credentials of members for programs, such as feed readers. Only the hash of a token is stored.
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

-- Whether members can create access tokens on their account page.
ALTER TABLE sites ADD COLUMN members_create_tokens INTEGER NOT NULL DEFAULT 0 CHECK (members_create_tokens IN (0, 1));

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('access_tokens', 'access_tokens', '100000 10000 1'),
  ('access_tokens', 'access_tokens_token', '100000 10000 1'),
  ('access_tokens', 'access_tokens_member', '100000 10000 3 1'),
  ('access_tokens', 'access_tokens_expired', '10000 10');
