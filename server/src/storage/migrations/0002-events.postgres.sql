-- The last position given on each site. Its row is locked from there to the commit: positions are in commit order.
CREATE TABLE event_heads (
  site_id uuid PRIMARY KEY REFERENCES sites (id),
  position bigint NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE events (
  site_id uuid NOT NULL REFERENCES sites (id),
  position bigint NOT NULL,
  id uuid NOT NULL,
  type text COLLATE "C" NOT NULL,
  occurred_at timestamptz(3) NOT NULL,
  actor_type text NOT NULL,
  actor_id text,
  actor_name text,
  request_id text,
  member_id uuid,
  group_id uuid,
  data text NOT NULL,
  PRIMARY KEY (site_id, position)
);
CREATE UNIQUE INDEX events_id ON events (site_id, id);
CREATE INDEX events_by_type ON events (site_id, type, position);
CREATE INDEX events_by_member ON events (site_id, member_id, position) WHERE member_id IS NOT NULL;
CREATE INDEX events_by_group ON events (site_id, group_id, position) WHERE group_id IS NOT NULL;
