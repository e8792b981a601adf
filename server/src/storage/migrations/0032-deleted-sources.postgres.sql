-- usable from: 0022-setup-tokens
-- Sources that are deleted, but for their many rows: these are deleted a few at a time afterwards, and refer to their source
-- by no foreign key.
-- step: transaction
CREATE TABLE deleted_sources (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  deleted_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, id)
);
CREATE INDEX deleted_sources_by_age ON deleted_sources (deleted_at);
-- step: transaction
ALTER TABLE source_people DROP CONSTRAINT source_people_site_id_source_id_fkey;
-- step: transaction
ALTER TABLE source_list_parts DROP CONSTRAINT source_list_parts_site_id_source_id_fkey;
-- step: transaction
ALTER TABLE source_blocks DROP CONSTRAINT source_blocks_site_id_source_id_fkey;
-- step: concurrently
CREATE INDEX CONCURRENTLY source_members_source ON source_members (site_id, source_id);
