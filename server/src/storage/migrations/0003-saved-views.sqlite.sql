-- Saved views.
-- usable from: 0001-schema
-- A search for members that an operator has saved. It is a row of the operator tenant, like the operator.
CREATE TABLE saved_views (
  site_id TEXT NOT NULL REFERENCES sites (id),
  id TEXT NOT NULL,
  operator_id TEXT NOT NULL,
  operated_site_id TEXT NOT NULL, -- the site whose members it finds
  name TEXT NOT NULL,
  search TEXT NOT NULL, -- the query of the URL
  created_at TEXT NOT NULL,
  PRIMARY KEY (site_id, id),
  -- The version before does not know these rows, and deletes operators too.
  FOREIGN KEY (site_id, operator_id) REFERENCES members (site_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX saved_views_operator_id_operated_site_id_name ON saved_views (site_id, operator_id, operated_site_id, name);

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('saved_views', 'saved_views', '1000 1000 1'),
  ('saved_views', 'saved_views_operator_id_operated_site_id_name', '1000 1000 10 5 1');
