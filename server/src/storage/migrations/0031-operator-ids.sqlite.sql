-- usable from: 0022-setup-tokens
-- What an operator is called on a site: the id of the role. That of the person, which is the same on all sites and
-- contains when the person became an operator, is no longer shown. Roles and events of before get ids that are random but
-- for the time, which is that of the site; those of operators who have been removed too.
CREATE TABLE given_operator_ids (
  site_id TEXT NOT NULL,
  operator_id TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (site_id, operator_id)
) STRICT, WITHOUT ROWID;
INSERT INTO given_operator_ids (site_id, operator_id, id)
SELECT site_id, operator_id,
       substr(site_id, 1, 14) || '7' || substr(lower(hex(randomblob(2))), 2)
       || '-8' || substr(lower(hex(randomblob(2))), 2) || '-' || lower(hex(randomblob(6)))
FROM (
  SELECT site_id, operator_id FROM operator_roles
  UNION
  SELECT site_id, actor_id FROM events WHERE actor_type = 'operator' AND actor_id IS NOT NULL
  UNION
  SELECT site_id, COALESCE(json_extract(data, '$.operator.id'), json_extract(data, '$.operatorId')) FROM events
  WHERE type IN ('operator.invited', 'operator.updated', 'operator.removed', 'operator.login')
);

UPDATE events SET actor_id = (
  SELECT g.id FROM given_operator_ids g WHERE g.site_id = events.site_id AND g.operator_id = events.actor_id)
WHERE actor_type = 'operator' AND actor_id IS NOT NULL;
UPDATE events SET data = (
  SELECT replace(events.data, g.operator_id, g.id) FROM given_operator_ids g
  WHERE g.site_id = events.site_id
    AND g.operator_id = COALESCE(json_extract(events.data, '$.operator.id'), json_extract(events.data, '$.operatorId')))
WHERE type IN ('operator.invited', 'operator.updated', 'operator.removed', 'operator.login');

-- The table is made anew, as a column with such a default cannot be added. The version before gives no id.
CREATE TABLE operator_roles_again (
  site_id TEXT NOT NULL REFERENCES sites (id),
  operator_id TEXT NOT NULL,
  -- A UUIDv7 (RFC 9562, section 5.7) of now.
  id TEXT NOT NULL DEFAULT (
    substr(printf('%012x', CAST(unixepoch('now', 'subsec') * 1000 AS INTEGER)), 1, 8)
    || '-' || substr(printf('%012x', CAST(unixepoch('now', 'subsec') * 1000 AS INTEGER)), 9)
    || '-7' || substr(lower(hex(randomblob(2))), 2)
    || '-8' || substr(lower(hex(randomblob(2))), 2) || '-' || lower(hex(randomblob(6)))),
  role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'support', 'viewer')),
  invited_name TEXT,
  session_id TEXT, -- that of the last time
  last_login_at TEXT,
  created_at TEXT NOT NULL,
  PRIMARY KEY (site_id, operator_id)
) STRICT, WITHOUT ROWID;
INSERT INTO operator_roles_again (site_id, operator_id, id, role, invited_name, session_id, last_login_at, created_at)
SELECT r.site_id, r.operator_id, g.id, r.role, r.invited_name, r.session_id, r.last_login_at, r.created_at
FROM operator_roles r JOIN given_operator_ids g ON g.site_id = r.site_id AND g.operator_id = r.operator_id;
DROP TABLE operator_roles;
DROP TABLE given_operator_ids;
ALTER TABLE operator_roles_again RENAME TO operator_roles;
CREATE INDEX operator_roles_operator ON operator_roles (operator_id, site_id);
CREATE UNIQUE INDEX operator_roles_id ON operator_roles (site_id, id);
