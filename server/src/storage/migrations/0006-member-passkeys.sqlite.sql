-- Passkeys of members.
-- usable from: 0001-schema
-- The host that the passkey was made for; null: it was not stored, and counts as the present one.
ALTER TABLE passkeys ADD COLUMN rp_id TEXT;
-- Whether it is synchronized between devices; null: not known.
ALTER TABLE passkeys ADD COLUMN backed_up INTEGER CHECK (backed_up IN (0, 1));
-- Whether the user was verified when it was added, which was always required.
ALTER TABLE passkeys ADD COLUMN user_verified INTEGER NOT NULL DEFAULT 1 CHECK (user_verified IN (0, 1));
