-- When a session ends at the latest that begins with a link which an API key with an expiry created; null for all others.
-- usable from: 0022-setup-tokens
ALTER TABLE login_links ADD COLUMN session_ends_at TEXT;
ALTER TABLE sessions ADD COLUMN ends_at TEXT;
