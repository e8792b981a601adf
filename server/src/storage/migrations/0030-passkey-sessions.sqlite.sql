-- usable from: 0022-setup-tokens
-- Whether a session was opened with a passkey. Those from before count as opened by email.
ALTER TABLE sessions ADD COLUMN by_passkey INTEGER NOT NULL DEFAULT 0;
