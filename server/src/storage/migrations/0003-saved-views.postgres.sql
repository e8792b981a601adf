-- Saved views.
-- usable from: 0001-schema
-- step: transaction
-- A search for members that an operator has saved. It is a row of the operator tenant, like the operator.
CREATE TABLE saved_views (
  site_id uuid NOT NULL REFERENCES sites (id),
  id uuid NOT NULL,
  operator_id uuid NOT NULL,
  operated_site_id uuid NOT NULL, -- the site whose members it finds
  name text NOT NULL,
  search text NOT NULL, -- the query of the URL
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, id),
  -- The version before does not know these rows, and deletes operators too.
  FOREIGN KEY (site_id, operator_id) REFERENCES members (site_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX saved_views_operator_id_operated_site_id_name ON saved_views (site_id, operator_id, operated_site_id, name);
