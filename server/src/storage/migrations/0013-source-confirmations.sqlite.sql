-- People are looked up over all sources of a site: two sources may list the same person.
DROP INDEX source_people_by_email;
CREATE INDEX source_people_by_email ON source_people (site_id, email, source_id);

-- The run whose removals a run confirms, and the groups that a confirmation would delete (JSON).
ALTER TABLE source_runs ADD COLUMN confirmed_run TEXT;
ALTER TABLE source_runs ADD COLUMN groups_to_delete TEXT NOT NULL DEFAULT '[]';

-- The people that a run names (JSON, by collection), apart from its numbers, because they are erased earlier.
ALTER TABLE source_runs ADD COLUMN people TEXT;
CREATE INDEX source_runs_with_people ON source_runs (site_id) WHERE people IS NOT NULL;
CREATE INDEX source_runs_people_ended ON source_runs (ended_at) WHERE people IS NOT NULL;

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('source_people', 'source_people_by_email', '1000000 10000 2 1'),
  ('source_runs', 'source_runs_with_people', '10000 100'),
  ('source_runs', 'source_runs_people_ended', '10000 10');
