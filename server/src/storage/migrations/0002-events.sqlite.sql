-- The last position given on each site. Its row is locked from there to the commit: positions are in commit order.
CREATE TABLE event_heads (
  site_id TEXT NOT NULL PRIMARY KEY REFERENCES sites (id),
  position INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
  site_id TEXT NOT NULL REFERENCES sites (id),
  position INTEGER NOT NULL,
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  occurred_at TEXT NOT NULL,
  actor_type TEXT NOT NULL,
  actor_id TEXT,
  actor_name TEXT,
  request_id TEXT,
  member_id TEXT,
  group_id TEXT,
  data TEXT NOT NULL,
  PRIMARY KEY (site_id, position)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX events_id ON events (site_id, id);
CREATE INDEX events_by_type ON events (site_id, type, position);
CREATE INDEX events_by_member ON events (site_id, member_id, position) WHERE member_id IS NOT NULL;
CREATE INDEX events_by_group ON events (site_id, group_id, position) WHERE group_id IS NOT NULL;

-- Figures for the planner (https://sqlite.org/fileformat2.html#stat1tab). Without any it walks the whole feed where
-- one of the indexes above leads straight to the few events of a type, a member or a group.
ANALYZE sqlite_schema;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('events', 'events', '1000000 100000 1'),
  ('events', 'events_id', '1000000 100000 1'),
  ('events', 'events_by_type', '1000000 100000 10000 1'),
  ('events', 'events_by_member', '1000000 100000 5 1'),
  ('events', 'events_by_group', '500000 50000 500 1');
