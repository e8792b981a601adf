-- Sources: external workspaces whose collections become scope groups. Until now a scope group knew only the name of its
-- collection; those groups become groups of a source that receives its lists from a program.
CREATE TABLE sources (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  name text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('program', 'notion', 'list')),
  enabled boolean NOT NULL,
  settings text NOT NULL, -- JSON, by kind
  secret text, -- encrypted
  interval_minutes integer NOT NULL,
  max_removed_people integer NOT NULL,
  max_removed_percent integer NOT NULL,
  grace_days integer NOT NULL,
  leavers text COLLATE "C" NOT NULL CHECK (leavers IN ('keep', 'block')),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, id),
  CONSTRAINT sources_name UNIQUE (site_id, name)
);

CREATE TABLE source_collections (
  site_id uuid NOT NULL,
  source_id uuid NOT NULL,
  key text COLLATE "C" NOT NULL, -- the identifier of the collection in the workspace
  name text COLLATE "C" NOT NULL,
  columns text NOT NULL, -- JSON: which columns hold the email address, the name, …
  token text, -- of the version that was synchronized last, if the workspace has one
  removed_at timestamptz(3), -- when it was no longer chosen
  missing_since timestamptz(3), -- when the workspace no longer had it
  PRIMARY KEY (site_id, source_id, key),
  FOREIGN KEY (site_id, source_id) REFERENCES sources (site_id, id)
);

-- The scope group of a collection, or of a value of the column that names groups (then without a collection).
CREATE TABLE source_groups (
  site_id uuid NOT NULL,
  source_id uuid NOT NULL,
  collection text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  group_id uuid NOT NULL,
  unused_since timestamptz(3), -- when the value was last on nobody
  PRIMARY KEY (site_id, source_id, collection, value),
  UNIQUE (site_id, group_id),
  FOREIGN KEY (site_id, source_id) REFERENCES sources (site_id, id),
  FOREIGN KEY (site_id, group_id) REFERENCES access_groups (site_id, id)
);

-- The people of each collection after the last synchronization. A membership in a scope group exists while a person here
-- is in it.
CREATE TABLE source_people (
  site_id uuid NOT NULL,
  source_id uuid NOT NULL,
  collection text COLLATE "C" NOT NULL,
  email text COLLATE "C" NOT NULL,
  group_values text NOT NULL, -- JSON: the values of the column that names groups; "" for the group of the collection
  display_name text, -- JSON, if the source has names
  paid boolean, -- if the source knows who has paid
  created_member boolean NOT NULL, -- whether the member was created for this entry
  PRIMARY KEY (site_id, source_id, collection, email),
  FOREIGN KEY (site_id, source_id) REFERENCES sources (site_id, id)
);
CREATE INDEX source_people_by_email ON source_people (site_id, source_id, email);

-- Members blocked because they left the source. A member changed since then is not unblocked when they return.
CREATE TABLE source_blocks (
  site_id uuid NOT NULL,
  source_id uuid NOT NULL,
  member_id uuid NOT NULL,
  blocked_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, source_id, member_id),
  FOREIGN KEY (site_id, source_id) REFERENCES sources (site_id, id)
);

CREATE TABLE source_runs (
  site_id uuid NOT NULL,
  id uuid NOT NULL,
  source_id uuid NOT NULL,
  trigger text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL CHECK (state IN ('waiting', 'running', 'succeeded', 'confirmation_required', 'failed')),
  dry_run boolean NOT NULL,
  removals_confirmed boolean NOT NULL,
  list text COLLATE "C", -- JSON: the uploaded list that it applies
  holder text COLLATE "C", -- the process that runs it
  due_at timestamptz(3), -- when it begins, or when the lease of its process ends
  failures integer NOT NULL, -- consecutive failed runs before it
  error text, -- JSON
  result text NOT NULL, -- JSON, by collection
  created_at timestamptz(3) NOT NULL,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  PRIMARY KEY (site_id, id),
  FOREIGN KEY (site_id, source_id) REFERENCES sources (site_id, id)
);
CREATE INDEX source_runs_by_source ON source_runs (site_id, source_id, id);
CREATE INDEX source_runs_due ON source_runs (due_at, site_id) WHERE due_at IS NOT NULL;
CREATE INDEX source_runs_ended ON source_runs (ended_at) WHERE ended_at IS NOT NULL;

-- Lists that programs upload, in parts.
CREATE TABLE source_list_parts (
  site_id uuid NOT NULL,
  source_id uuid NOT NULL,
  collection text COLLATE "C" NOT NULL,
  list text COLLATE "C" NOT NULL,
  part integer NOT NULL,
  people text NOT NULL, -- JSON
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, source_id, collection, list, part),
  FOREIGN KEY (site_id, source_id) REFERENCES sources (site_id, id)
);
CREATE INDEX source_list_parts_by_age ON source_list_parts (created_at);

ALTER TABLE access_groups ADD COLUMN source_id uuid;

-- One source for each site with scope groups, with a UUIDv7 of now.
INSERT INTO sources (site_id, id, name, kind, enabled, settings, interval_minutes, max_removed_people,
                     max_removed_percent, grace_days, leavers, created_at, updated_at)
SELECT site_id,
       (substr(time, 1, 8) || '-' || substr(time, 9, 4) || '-7' || substr(random, 1, 3) || '-8' || substr(random, 4, 3) ||
         '-' || substr(random, 7, 12))::uuid,
       'Command line', 'program', true, '{}', 15, 10, 20, 7, 'keep', now(), now()
FROM (
  SELECT site_id, lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') AS time,
         replace(gen_random_uuid()::text, '-', '') AS random
  FROM (SELECT DISTINCT site_id FROM access_groups WHERE collection IS NOT NULL) sites_with_scope_groups
) new_sources;
INSERT INTO source_collections (site_id, source_id, key, name, columns)
SELECT g.site_id, s.id, g.collection, g.name, '{}' FROM access_groups g JOIN sources s ON s.site_id = g.site_id
WHERE g.collection IS NOT NULL;
INSERT INTO source_groups (site_id, source_id, collection, value, group_id)
SELECT g.site_id, s.id, g.collection, '', g.id FROM access_groups g JOIN sources s ON s.site_id = g.site_id
WHERE g.collection IS NOT NULL;
INSERT INTO source_people (site_id, source_id, collection, email, group_values, created_member)
SELECT g.site_id, s.id, g.collection, p.email, '[""]', false
FROM access_groups g JOIN sources s ON s.site_id = g.site_id
JOIN memberships m ON m.site_id = g.site_id AND m.group_id = g.id
JOIN members p ON p.site_id = m.site_id AND p.id = m.member_id
WHERE g.collection IS NOT NULL;
UPDATE access_groups SET source_id = (SELECT s.id FROM sources s WHERE s.site_id = access_groups.site_id)
WHERE collection IS NOT NULL;

DROP INDEX access_groups_collection;
ALTER TABLE access_groups DROP COLUMN collection;
