-- People are looked up over all sources of a site: two sources may list the same person.
DROP INDEX source_people_by_email;
CREATE INDEX source_people_by_email ON source_people (site_id, email, source_id);

-- The run whose removals a run confirms, and the groups that a confirmation would delete (JSON).
ALTER TABLE source_runs ADD COLUMN confirmed_run TEXT;
ALTER TABLE source_runs ADD COLUMN groups_to_delete TEXT NOT NULL DEFAULT '[]';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('source_people', 'source_people_by_email', '1000000 10000 2 1');
