-- How sessions were opened, and when members were last seen.
-- usable from: 0001-schema
-- step: transaction
-- link, code, passkey or provider; null in older sessions. The version before reads by_passkey, which stays beside it.
ALTER TABLE sessions ADD COLUMN method text;
ALTER TABLE members ADD COLUMN last_seen_at timestamptz(3);
