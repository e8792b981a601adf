-- usable from: 0022-setup-tokens
-- Access groups that are deleted, but for their memberships: these are deleted a few at a time afterwards, and refer to
-- their group by no foreign key.
-- step: transaction
CREATE TABLE deleted_groups (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  deleted_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, id)
);
CREATE INDEX deleted_groups_by_age ON deleted_groups (deleted_at);
-- step: transaction
ALTER TABLE memberships DROP CONSTRAINT memberships_site_id_group_id_fkey;
