-- usable from: 0022-setup-tokens
-- Each start of a process has its own setup token, so that the links of several processes are valid side by side.
ALTER TABLE setup_tokens DROP CONSTRAINT setup_tokens_pkey;
ALTER TABLE setup_tokens ADD CONSTRAINT setup_tokens_pkey PRIMARY KEY (site_id, hash);
