-- The credentials of members for programs, such as feed readers. Only the hash of a token is stored.
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

-- Whether members can create access tokens on their account page.
ALTER TABLE sites ADD COLUMN members_create_tokens boolean NOT NULL DEFAULT false;
