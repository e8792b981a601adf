-- People are looked up over all sources of a site: two sources may list the same person.
DROP INDEX source_people_by_email;
CREATE INDEX source_people_by_email ON source_people (site_id, email, source_id);

-- The run whose removals a run confirms, and the groups that a confirmation would delete (JSON).
ALTER TABLE source_runs ADD COLUMN confirmed_run uuid;
ALTER TABLE source_runs ADD COLUMN groups_to_delete text NOT NULL DEFAULT '[]';

-- The people whom a run names (JSON, by collection), apart from its numbers, because they are erased earlier.
ALTER TABLE source_runs ADD COLUMN samples text;
ALTER TABLE source_runs ADD COLUMN skipped text;
CREATE INDEX source_runs_with_samples ON source_runs (site_id) WHERE samples IS NOT NULL;
CREATE INDEX source_runs_people_ended ON source_runs (ended_at) WHERE samples IS NOT NULL OR skipped IS NOT NULL;

-- How often a process has begun a run that has not ended.
ALTER TABLE source_runs ADD COLUMN claims integer NOT NULL DEFAULT 0;

-- Whether a run is the next attempt after the workspace could not be read.
ALTER TABLE source_runs ADD COLUMN is_retry boolean NOT NULL DEFAULT false;

-- Members that a source has created. When one leaves a collection, its source and key are here until the run has decided
-- what becomes of the member.
CREATE TABLE source_members (
  site_id uuid NOT NULL,
  member_id uuid NOT NULL,
  source_id uuid NOT NULL,
  left_source uuid,
  left_collection text COLLATE "C",
  PRIMARY KEY (site_id, member_id)
);
CREATE INDEX source_members_left ON source_members (site_id, left_source) WHERE left_source IS NOT NULL;
INSERT INTO source_members (site_id, member_id, source_id)
SELECT p.site_id, m.id, p.source_id FROM source_people p JOIN members m ON m.site_id = p.site_id AND m.email = p.email
WHERE p.created_member ON CONFLICT DO NOTHING;
ALTER TABLE source_people DROP COLUMN created_member;
