-- Sources: external workspaces whose collections become scope groups. Until now a scope group knew only the name of its
-- collection; those groups become groups of a source that receives its lists from a program.
CREATE TABLE sources (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('program', 'notion', 'list')),
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  settings TEXT NOT NULL, -- JSON, by kind
  secret TEXT, -- encrypted
  interval_minutes INTEGER NOT NULL,
  max_removed_people INTEGER NOT NULL,
  max_removed_percent INTEGER NOT NULL,
  grace_days INTEGER NOT NULL,
  leavers TEXT NOT NULL CHECK (leavers IN ('keep', 'block')),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (site_id, id),
  UNIQUE (site_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE source_collections (
  site_id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  key TEXT NOT NULL, -- the identifier of the collection in the workspace
  name TEXT NOT NULL,
  columns TEXT NOT NULL, -- JSON: which columns hold the email address, the name, …
  token TEXT, -- of the version that was synchronized last, if the workspace has one
  removed_at TEXT, -- when it was no longer chosen
  missing_since TEXT, -- when the workspace no longer had it
  PRIMARY KEY (site_id, source_id, key),
  FOREIGN KEY (site_id, source_id) REFERENCES sources (site_id, id)
) STRICT, WITHOUT ROWID;

-- The scope group of a collection, or of a value of the column that names groups (then without a collection).
CREATE TABLE source_groups (
  site_id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  collection TEXT NOT NULL,
  value TEXT NOT NULL,
  group_id TEXT NOT NULL,
  unused_since TEXT, -- when the value was last on nobody
  PRIMARY KEY (site_id, source_id, collection, value),
  UNIQUE (site_id, group_id),
  FOREIGN KEY (site_id, source_id) REFERENCES sources (site_id, id),
  FOREIGN KEY (site_id, group_id) REFERENCES access_groups (site_id, id)
) STRICT, WITHOUT ROWID;

-- The people of each collection after the last synchronization. A membership in a scope group exists while a person here
-- is in it.
CREATE TABLE source_people (
  site_id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  collection TEXT NOT NULL,
  email TEXT NOT NULL,
  group_values TEXT NOT NULL, -- JSON: the values of the column that names groups; "" for the group of the collection
  display_name TEXT, -- JSON, if the source has names
  paid INTEGER CHECK (paid IN (0, 1)), -- if the source knows who has paid
  created_member INTEGER NOT NULL CHECK (created_member IN (0, 1)), -- whether the member was created for this entry
  PRIMARY KEY (site_id, source_id, collection, email),
  FOREIGN KEY (site_id, source_id) REFERENCES sources (site_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX source_people_by_email ON source_people (site_id, source_id, email);

-- Members blocked because they left the source. A member changed since then is not unblocked when they return.
CREATE TABLE source_blocks (
  site_id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  blocked_at TEXT NOT NULL,
  PRIMARY KEY (site_id, source_id, member_id),
  FOREIGN KEY (site_id, source_id) REFERENCES sources (site_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE source_runs (
  site_id TEXT NOT NULL,
  id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  trigger TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'succeeded', 'confirmation_required', 'failed')),
  dry_run INTEGER NOT NULL CHECK (dry_run IN (0, 1)),
  removals_confirmed INTEGER NOT NULL CHECK (removals_confirmed IN (0, 1)),
  list TEXT, -- JSON: the uploaded list that it applies
  holder TEXT, -- the process that runs it
  due_at TEXT, -- when it begins, or when the lease of its process ends
  failures INTEGER NOT NULL, -- consecutive failed runs before it
  error TEXT, -- JSON
  result TEXT NOT NULL, -- JSON, by collection
  created_at TEXT NOT NULL,
  started_at TEXT,
  ended_at TEXT,
  PRIMARY KEY (site_id, id),
  FOREIGN KEY (site_id, source_id) REFERENCES sources (site_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX source_runs_by_source ON source_runs (site_id, source_id, id);
CREATE INDEX source_runs_due ON source_runs (due_at, site_id) WHERE due_at IS NOT NULL;
CREATE INDEX source_runs_ended ON source_runs (ended_at) WHERE ended_at IS NOT NULL;

-- Lists that programs upload, in parts.
CREATE TABLE source_list_parts (
  site_id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  collection TEXT NOT NULL,
  list TEXT NOT NULL,
  part INTEGER NOT NULL,
  people TEXT NOT NULL, -- JSON
  created_at TEXT NOT NULL,
  PRIMARY KEY (site_id, source_id, collection, list, part),
  FOREIGN KEY (site_id, source_id) REFERENCES sources (site_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX source_list_parts_by_age ON source_list_parts (created_at);

ALTER TABLE access_groups ADD COLUMN source_id TEXT;

-- One source for each site with scope groups, with a UUIDv7 of now.
INSERT INTO sources (site_id, id, name, kind, enabled, settings, interval_minutes, max_removed_people,
                     max_removed_percent, grace_days, leavers, created_at, updated_at)
SELECT site_id,
       substr(time, 1, 8) || '-' || substr(time, 9, 4) || '-7' || substr(random, 1, 3) || '-8' || substr(random, 4, 3) ||
         '-' || substr(random, 7, 12),
       'Command line', 'program', 1, '{}', 15, 10, 20, 7, 'keep', now, now
FROM (
  SELECT site_id, printf('%012x', CAST(unixepoch('subsec') * 1000 AS INTEGER)) AS time,
         lower(hex(randomblob(9))) AS random, strftime('%Y-%m-%dT%H:%M:%fZ') AS now
  FROM (SELECT DISTINCT site_id FROM access_groups WHERE collection IS NOT NULL)
);
INSERT INTO source_collections (site_id, source_id, key, name, columns)
SELECT g.site_id, s.id, g.collection, g.name, '{}' FROM access_groups g JOIN sources s ON s.site_id = g.site_id
WHERE g.collection IS NOT NULL;
INSERT INTO source_groups (site_id, source_id, collection, value, group_id)
SELECT g.site_id, s.id, g.collection, '', g.id FROM access_groups g JOIN sources s ON s.site_id = g.site_id
WHERE g.collection IS NOT NULL;
INSERT INTO source_people (site_id, source_id, collection, email, group_values, created_member)
SELECT g.site_id, s.id, g.collection, p.email, '[""]', 0
FROM access_groups g JOIN sources s ON s.site_id = g.site_id
JOIN memberships m ON m.site_id = g.site_id AND m.group_id = g.id
JOIN members p ON p.site_id = m.site_id AND p.id = m.member_id
WHERE g.collection IS NOT NULL;
UPDATE access_groups SET source_id = (SELECT s.id FROM sources s WHERE s.site_id = access_groups.site_id)
WHERE collection IS NOT NULL;

DROP INDEX access_groups_collection;
ALTER TABLE access_groups DROP COLUMN collection;

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('sources', 'sources', '1000 2 1'),
  ('source_collections', 'source_collections', '10000 20 10 1'),
  ('source_groups', 'source_groups', '10000 20 10 1 1'),
  ('source_people', 'source_people', '1000000 10000 5000 500 1'),
  ('source_people', 'source_people_by_email', '1000000 10000 5000 2'),
  ('source_blocks', 'source_blocks', '1000 100 50 1'),
  ('source_runs', 'source_runs', '100000 1000 1'),
  ('source_runs', 'source_runs_by_source', '100000 1000 500 1'),
  ('source_runs', 'source_runs_due', '100 10 1'),
  ('source_runs', 'source_runs_ended', '100000 10'),
  ('source_list_parts', 'source_list_parts', '1000 100 50 50 10 1'),
  ('source_list_parts', 'source_list_parts_by_age', '1000 10');
