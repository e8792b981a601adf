-- usable from: 0022-setup-tokens
-- Sources that are deleted, but for their many rows: these are deleted a few at a time afterwards, and refer to their source
-- by no foreign key.
CREATE TABLE deleted_sources (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  deleted_at TEXT NOT NULL,
  PRIMARY KEY (site_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX deleted_sources_by_age ON deleted_sources (deleted_at);
CREATE INDEX source_members_source ON source_members (site_id, source_id);

-- The tables are made anew, as a foreign key cannot be removed.
CREATE TABLE source_people_again (
  site_id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  collection TEXT NOT NULL,
  email TEXT NOT NULL,
  group_values TEXT NOT NULL, -- JSON: the values of the column that names groups; "" for the group of the collection
  display_name TEXT, -- JSON, if the source has names
  paid INTEGER CHECK (paid IN (0, 1)), -- if the source knows who has paid
  PRIMARY KEY (site_id, source_id, collection, email)
) STRICT, WITHOUT ROWID;
INSERT INTO source_people_again (site_id, source_id, collection, email, group_values, display_name, paid)
SELECT site_id, source_id, collection, email, group_values, display_name, paid FROM source_people;
DROP TABLE source_people;
ALTER TABLE source_people_again RENAME TO source_people;
CREATE INDEX source_people_by_email ON source_people (site_id, email, source_id);

CREATE TABLE source_list_parts_again (
  site_id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  collection TEXT NOT NULL,
  list TEXT NOT NULL,
  part INTEGER NOT NULL,
  people TEXT NOT NULL, -- JSON
  created_at TEXT NOT NULL,
  PRIMARY KEY (site_id, source_id, collection, list, part)
) STRICT, WITHOUT ROWID;
INSERT INTO source_list_parts_again (site_id, source_id, collection, list, part, people, created_at)
SELECT site_id, source_id, collection, list, part, people, created_at FROM source_list_parts;
DROP TABLE source_list_parts;
ALTER TABLE source_list_parts_again RENAME TO source_list_parts;
CREATE INDEX source_list_parts_by_age ON source_list_parts (created_at);

CREATE TABLE source_blocks_again (
  site_id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  blocked_at TEXT NOT NULL,
  PRIMARY KEY (site_id, source_id, member_id)
) STRICT, WITHOUT ROWID;
INSERT INTO source_blocks_again (site_id, source_id, member_id, blocked_at)
SELECT site_id, source_id, member_id, blocked_at FROM source_blocks;
DROP TABLE source_blocks;
ALTER TABLE source_blocks_again RENAME TO source_blocks;

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('deleted_sources', 'deleted_sources', '100 10 1'),
  ('deleted_sources', 'deleted_sources_by_age', '100 10'),
  ('source_members', 'source_members_source', '1000000 10000 5000'),
  ('source_people', 'source_people', '1000000 10000 5000 500 1'),
  ('source_people', 'source_people_by_email', '1000000 10000 2 1'),
  ('source_blocks', 'source_blocks', '1000 100 50 1'),
  ('source_list_parts', 'source_list_parts', '1000 100 50 50 10 1'),
  ('source_list_parts', 'source_list_parts_by_age', '1000 10');
