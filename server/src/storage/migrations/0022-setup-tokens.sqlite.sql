-- usable from: 0022-setup-tokens
-- Each start of a process has its own setup token, so that the links of several processes are valid side by side.
CREATE TABLE setup_tokens_by_hash (
  site_id TEXT NOT NULL REFERENCES sites (id),
  hash TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (site_id, hash)
) STRICT, WITHOUT ROWID;

INSERT INTO setup_tokens_by_hash (site_id, hash, expires_at) SELECT site_id, hash, expires_at FROM setup_tokens;
DROP TABLE setup_tokens;
ALTER TABLE setup_tokens_by_hash RENAME TO setup_tokens;
