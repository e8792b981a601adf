-- People are looked up over all sources of a site: two sources may list the same person.
DROP INDEX source_people_by_email;
CREATE INDEX source_people_by_email ON source_people (site_id, email, source_id);

-- The run whose removals a run confirms, and the groups that a confirmation would delete (JSON).
ALTER TABLE source_runs ADD COLUMN confirmed_run TEXT;
ALTER TABLE source_runs ADD COLUMN groups_to_delete TEXT NOT NULL DEFAULT '[]';

-- The people whom a run names (JSON, by collection), apart from its numbers, because they are erased earlier.
ALTER TABLE source_runs ADD COLUMN samples TEXT;
ALTER TABLE source_runs ADD COLUMN skipped TEXT;
CREATE INDEX source_runs_with_samples ON source_runs (site_id) WHERE samples IS NOT NULL;
CREATE INDEX source_runs_people_ended ON source_runs (ended_at) WHERE samples IS NOT NULL OR skipped IS NOT NULL;

-- How often a process has begun a run that has not ended.
ALTER TABLE source_runs ADD COLUMN claims INTEGER NOT NULL DEFAULT 0;

-- Whether a run is the next attempt after the workspace could not be read.
ALTER TABLE source_runs ADD COLUMN is_retry INTEGER NOT NULL DEFAULT 0 CHECK (is_retry IN (0, 1));

-- Members that a source has created. When one leaves a collection, its source and key are here until the run has decided
-- what becomes of the member.
CREATE TABLE source_members (
  site_id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  left_source TEXT,
  left_collection TEXT,
  PRIMARY KEY (site_id, member_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX source_members_left ON source_members (site_id, left_source) WHERE left_source IS NOT NULL;
INSERT OR IGNORE INTO source_members (site_id, member_id, source_id)
SELECT p.site_id, m.id, p.source_id FROM source_people p JOIN members m ON m.site_id = p.site_id AND m.email = p.email
WHERE p.created_member = 1;
ALTER TABLE source_people DROP COLUMN created_member;

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('source_people', 'source_people_by_email', '1000000 10000 2 1'),
  ('source_runs', 'source_runs_with_samples', '1000 10'),
  ('source_runs', 'source_runs_people_ended', '10000 10'),
  ('source_members', 'source_members', '1000000 10000 1'),
  ('source_members', 'source_members_left', '1000 100 50');
