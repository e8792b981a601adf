-- usable from: 0022-setup-tokens
-- What an operator is called on a site: the id of the role. That of the person, which is the same on all sites and
-- contains when the person became an operator, is no longer shown. The version before gives no id: a default does.
-- step: transaction
ALTER TABLE operator_roles ADD COLUMN id uuid;
-- A UUIDv7 (RFC 9562, section 5.7) of now.
ALTER TABLE operator_roles ALTER COLUMN id SET DEFAULT (
  lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')
  || overlay(substr(replace(gen_random_uuid()::text, '-', ''), 13) PLACING '7' FROM 1 FOR 1))::uuid;

-- A role of before gets a UUIDv7 with the time of its site. The rest is a hash, with which the events below get the same
-- id, also those of operators who have been removed. Nobody can find the id of a person from it: 62 of its bits are random.
-- step: batches of operator_roles by site_id, operator_id
UPDATE operator_roles SET id = left(overlay(overlay(
    encode(sha256(uuid_send(site_id) || uuid_send(operator_id)), 'hex')
    PLACING left(replace(site_id::text, '-', ''), 12) || '7' FROM 1 FOR 13)
    PLACING '8' FROM 17 FOR 1), 32)::uuid
WHERE :batch;

-- step: batches of events by site_id, position
UPDATE events SET actor_id = left(overlay(overlay(
    encode(sha256(uuid_send(site_id) || uuid_send(actor_id::uuid)), 'hex')
    PLACING left(replace(site_id::text, '-', ''), 12) || '7' FROM 1 FOR 13)
    PLACING '8' FROM 17 FOR 1), 32)::uuid::text
WHERE actor_type = 'operator' AND actor_id IS NOT NULL AND :batch;

-- step: batches of events by site_id, position
UPDATE events SET data = replace(
  data,
  COALESCE(data::json #>> '{operator,id}', data::json ->> 'operatorId'),
  left(overlay(overlay(
    encode(sha256(uuid_send(site_id)
      || uuid_send(COALESCE(data::json #>> '{operator,id}', data::json ->> 'operatorId')::uuid)), 'hex')
    PLACING left(replace(site_id::text, '-', ''), 12) || '7' FROM 1 FOR 13)
    PLACING '8' FROM 17 FOR 1), 32)::uuid::text)
WHERE type IN ('operator.invited', 'operator.updated', 'operator.removed', 'operator.login') AND :batch;

-- step: transaction
ALTER TABLE operator_roles ADD CONSTRAINT operator_roles_id_given CHECK (id IS NOT NULL) NOT VALID;
-- step: transaction
ALTER TABLE operator_roles VALIDATE CONSTRAINT operator_roles_id_given;
-- step: transaction
ALTER TABLE operator_roles ALTER COLUMN id SET NOT NULL;
ALTER TABLE operator_roles DROP CONSTRAINT operator_roles_id_given;
-- step: concurrently
CREATE UNIQUE INDEX CONCURRENTLY operator_roles_id ON operator_roles (site_id, id);
