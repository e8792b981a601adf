-- Signing keys: with them Gatehouse signs the tokens of a site. The names of the identity headers become settings.
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

ALTER TABLE sites ADD COLUMN identity_headers text; -- JSON; null for the default
