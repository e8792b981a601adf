-- Passkeys of members.
-- usable from: 0001-schema
-- step: transaction
-- rp_id: the host that the passkey was made for; null: it was not stored, and counts as the present one.
-- backed_up: whether it is synchronized between devices; null: not known.
-- user_verified: whether the user was verified when it was added, which was always required.
ALTER TABLE passkeys
  ADD COLUMN rp_id text COLLATE "C",
  ADD COLUMN backed_up boolean,
  ADD COLUMN user_verified boolean NOT NULL DEFAULT true;
