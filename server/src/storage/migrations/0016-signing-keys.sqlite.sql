-- Signing keys: with them Gatehouse signs the tokens of a site. The names of the identity headers become settings.
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

ALTER TABLE sites ADD COLUMN identity_headers TEXT; -- JSON; null for the default
