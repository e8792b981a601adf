-- usable from: 0022-setup-tokens
-- Access groups that are deleted, but for their memberships: these are deleted a few at a time afterwards, and refer to
-- their group by no foreign key.
CREATE TABLE deleted_groups (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  deleted_at TEXT NOT NULL,
  PRIMARY KEY (site_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX deleted_groups_by_age ON deleted_groups (deleted_at);

-- The table is made anew, as a foreign key cannot be removed.
CREATE TABLE memberships_again (
  site_id TEXT NOT NULL REFERENCES sites (id),
  group_id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  source TEXT NOT NULL,
  added_at TEXT NOT NULL,
  expires_at TEXT,
  PRIMARY KEY (site_id, group_id, member_id),
  FOREIGN KEY (site_id, member_id) REFERENCES members (site_id, id)
) STRICT, WITHOUT ROWID;
INSERT INTO memberships_again (site_id, group_id, member_id, source, added_at, expires_at)
SELECT site_id, group_id, member_id, source, added_at, expires_at FROM memberships
ORDER BY site_id, group_id, member_id;
DROP TABLE memberships;
ALTER TABLE memberships_again RENAME TO memberships;
CREATE INDEX memberships_by_member ON memberships (site_id, member_id, group_id, expires_at);
CREATE INDEX memberships_by_expiry ON memberships (site_id, group_id, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX memberships_due ON memberships (expires_at) WHERE expires_at IS NOT NULL;

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('deleted_groups', 'deleted_groups', '100 10 1'),
  ('deleted_groups', 'deleted_groups_by_age', '100 10'),
  ('memberships', 'memberships', '1000000 100000 1000 1'),
  ('memberships', 'memberships_by_member', '1000000 100000 3 1 1'),
  ('memberships', 'memberships_by_expiry', '100000 10000 100 1'),
  ('memberships', 'memberships_due', '100000 20');
