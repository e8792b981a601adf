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
CREATE INDEX events_by_time ON events (site_id, occurred_at);
