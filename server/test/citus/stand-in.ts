import postgres from 'postgres';

/**
 * Makes a PostgreSQL database look like the coordinator of a Citus cluster. It stands in only because Citus is in no
 * package registry that the tests can use. It has the functions and tables of Citus that Gatehouse uses, and enforces
 * the rules of Citus 13.2 about what can be distributed, with its messages (create_distributed_table.c,
 * foreign_constraint.c and table.c of its source). It moves no rows, and has no shards.
 */
export async function installCitusStandIn(databaseUrl: string): Promise<void> {
  const client = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  try {
    await client.unsafe(script);
  } finally {
    await client.end();
  }
}

const script = `
CREATE SCHEMA citus_stand_in;
DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = public, citus_stand_in', current_database()); END $$;
SET search_path = citus_stand_in;

CREATE TABLE pg_dist_partition (
  logicalrelid regclass PRIMARY KEY, partmethod "char" NOT NULL, partkey text, colocationid integer NOT NULL,
  repmodel "char" NOT NULL);
CREATE TABLE pg_dist_local_group (groupid integer NOT NULL);
INSERT INTO pg_dist_local_group VALUES (0);
CREATE TABLE pg_dist_node (
  nodename text NOT NULL, nodeport integer NOT NULL, noderole text NOT NULL DEFAULT 'primary',
  isactive boolean NOT NULL DEFAULT true, metadatasynced boolean NOT NULL DEFAULT true);
INSERT INTO pg_dist_node VALUES ('coordinator', 5432), ('worker-1', 5432), ('worker-2', 5432);

-- What was called, and after how many calls and changes of foreign keys the next one fails.
CREATE TABLE calls (number integer GENERATED ALWAYS AS IDENTITY, function text NOT NULL, relation regclass NOT NULL);
CREATE SEQUENCE until_failure;
CREATE TABLE failures (is_on boolean NOT NULL);
INSERT INTO failures VALUES (false);

-- The nodes that do not answer: those that are down, and those that are frozen, for which Citus waits for its timeout.
CREATE TABLE silent_nodes (nodename text NOT NULL, is_frozen boolean NOT NULL);
CREATE FUNCTION citus_check_connection_to_node(nodename text, nodeport integer DEFAULT 5432) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  wait interval := COALESCE(NULLIF(current_setting('citus.node_connection_timeout', true), ''), '30s')::interval;
BEGIN
  IF EXISTS (SELECT 1 FROM citus_stand_in.silent_nodes s WHERE s.nodename = $1 AND s.is_frozen) THEN
    PERFORM pg_sleep_for(wait);
  END IF;
  RETURN NOT EXISTS (SELECT 1 FROM citus_stand_in.silent_nodes s WHERE s.nodename = $1);
END $$;
CREATE TABLE broken_links (from_nodename text NOT NULL, to_nodename text NOT NULL);
CREATE FUNCTION citus_check_cluster_node_health(
  OUT from_nodename text, OUT from_nodeport integer, OUT to_nodename text, OUT to_nodeport integer, OUT result boolean
) RETURNS SETOF record LANGUAGE sql AS $$
  SELECT f.nodename, f.nodeport, t.nodename, t.nodeport, NOT EXISTS (
    SELECT 1 FROM citus_stand_in.broken_links b WHERE b.from_nodename = f.nodename AND b.to_nodename = t.nodename)
  FROM citus_stand_in.pg_dist_node f, citus_stand_in.pg_dist_node t $$;

CREATE FUNCTION citus_version() RETURNS text LANGUAGE sql AS $$ SELECT 'Citus 13.2.2 on x86_64-pc-linux-gnu' $$;
CREATE FUNCTION column_to_column_name(regclass, text) RETURNS text LANGUAGE sql AS $$ SELECT $2 $$;

CREATE FUNCTION fail_if_due() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT is_on FROM citus_stand_in.failures) AND nextval('citus_stand_in.until_failure') % 23 = 0 THEN
    RAISE EXCEPTION 'the node failed' USING ERRCODE = 'connection_failure';
  END IF;
END $$;

CREATE FUNCTION kind_of(relation regclass) RETURNS text LANGUAGE sql AS $$
  SELECT COALESCE(
    (SELECT CASE WHEN partkey IS NULL THEN 'reference' ELSE 'distributed' END
     FROM citus_stand_in.pg_dist_partition WHERE logicalrelid = relation),
    'local') $$;

CREATE FUNCTION check_foreign_keys(relation regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  key record;
BEGIN
  FOR key IN
    SELECT conrelid, confrelid, citus_stand_in.kind_of(conrelid) AS kind, citus_stand_in.kind_of(confrelid) AS referenced,
      confdeltype, confupdtype,
      (SELECT array_agg(attname ORDER BY place) FROM unnest(conkey) WITH ORDINALITY AS part (number, place)
       JOIN pg_attribute ON attrelid = conrelid AND attnum = number) AS columns,
      (SELECT array_agg(attname ORDER BY place) FROM unnest(confkey) WITH ORDINALITY AS part (number, place)
       JOIN pg_attribute ON attrelid = confrelid AND attnum = number) AS referenced_columns
    FROM pg_constraint WHERE contype = 'f' AND relation IN (conrelid, confrelid)
  LOOP
    IF key.kind <> 'local' AND key.referenced = 'local' THEN
      RAISE EXCEPTION 'referenced table "%" must be a distributed table or a reference table', key.confrelid;
    ELSIF key.kind <> 'distributed' AND key.referenced = 'distributed' THEN
      RAISE EXCEPTION 'cannot create foreign key constraint since foreign keys from reference tables and local tables to distributed tables are not supported';
    ELSIF key.referenced = 'distributed' THEN
      IF (SELECT count(DISTINCT colocationid) FROM citus_stand_in.pg_dist_partition
          WHERE logicalrelid IN (key.conrelid, key.confrelid)) > 1 THEN
        RAISE EXCEPTION 'cannot create foreign key constraint since relations are not colocated or not referencing a reference table';
      ELSIF key.referenced_columns[array_position(key.columns, 'site_id')] IS DISTINCT FROM 'site_id' THEN
        RAISE EXCEPTION 'cannot create foreign key constraint' USING DETAIL = 'Foreign keys are supported in two cases, either in between two colocated tables including partition column in the same ordinal in the both tables or from distributed to reference tables';
      ELSIF key.confdeltype IN ('n', 'd') OR key.confupdtype IN ('n', 'd', 'c') THEN
        RAISE EXCEPTION 'cannot create foreign key constraint' USING DETAIL = 'SET NULL or SET DEFAULT is not supported when distribution key is included in the foreign key constraint';
      END IF;
    END IF;
  END LOOP;
END $$;

CREATE FUNCTION check_table(relation regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF citus_stand_in.kind_of(relation) <> 'local' THEN
    RAISE EXCEPTION 'table "%" is already distributed', relation;
  ELSIF EXISTS (SELECT 1 FROM pg_trigger WHERE tgrelid = relation AND NOT tgisinternal) THEN
    RAISE EXCEPTION 'cannot distribute relation "%" because it has triggers', relation;
  END IF;
END $$;

CREATE FUNCTION create_reference_table(table_name regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM citus_stand_in.fail_if_due();
  PERFORM citus_stand_in.check_table(table_name);
  INSERT INTO citus_stand_in.calls (function, relation) VALUES ('create_reference_table', table_name);
  INSERT INTO citus_stand_in.pg_dist_partition VALUES (table_name, 'n', NULL, 1, 't');
  PERFORM citus_stand_in.check_foreign_keys(table_name);
END $$;

CREATE FUNCTION create_distributed_table(
  table_name regclass, distribution_column text, distribution_type text DEFAULT 'hash', colocate_with text DEFAULT 'default'
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  colocation integer;
BEGIN
  PERFORM citus_stand_in.fail_if_due();
  PERFORM citus_stand_in.check_table(table_name);
  IF NOT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = table_name AND attname = distribution_column) THEN
    RAISE EXCEPTION 'column "%" of relation "%" does not exist', distribution_column, table_name;
  ELSIF EXISTS (
    SELECT 1 FROM pg_index WHERE indrelid = table_name AND indisunique AND NOT EXISTS (
      SELECT 1 FROM pg_attribute
      WHERE attrelid = table_name AND attname = distribution_column AND attnum = ANY (indkey::smallint[]))
  ) THEN
    RAISE EXCEPTION 'cannot create constraint on "%"', table_name USING DETAIL = 'Distributed relations cannot have UNIQUE, EXCLUDE, or PRIMARY KEY constraints that do not include the partition column (with an equality operator if EXCLUDE).';
  END IF;
  colocation := CASE colocate_with
    WHEN 'none' THEN (SELECT COALESCE(max(colocationid), 1) + 1 FROM citus_stand_in.pg_dist_partition)
    ELSE (SELECT colocationid FROM citus_stand_in.pg_dist_partition WHERE logicalrelid = colocate_with::regclass)
  END;
  INSERT INTO citus_stand_in.calls (function, relation) VALUES ('create_distributed_table', table_name);
  INSERT INTO citus_stand_in.pg_dist_partition VALUES (table_name, 'h', distribution_column, colocation, 's');
  PERFORM citus_stand_in.check_foreign_keys(table_name);
END $$;

CREATE FUNCTION truncate_local_data_after_distributing_table(relation regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM citus_stand_in.fail_if_due();
  IF citus_stand_in.kind_of(relation) = 'local' THEN
    RAISE EXCEPTION 'supplied parameter is not a distributed relation';
  ELSIF EXISTS (
    SELECT 1 FROM pg_constraint
    WHERE contype = 'f' AND confrelid = relation AND citus_stand_in.kind_of(conrelid) = 'local'
  ) THEN
    RAISE EXCEPTION 'cannot truncate a table referenced in a foreign key constraint by a local table';
  END IF;
  INSERT INTO citus_stand_in.calls (function, relation)
  VALUES ('truncate_local_data_after_distributing_table', relation);
END $$;

-- Citus checks the foreign keys of its tables whenever one is changed.
CREATE FUNCTION check_changed_tables() RETURNS event_trigger LANGUAGE plpgsql AS $$
DECLARE
  changed record;
BEGIN
  FOR changed IN
    SELECT objid::regclass AS relation FROM pg_event_trigger_ddl_commands() WHERE object_type = 'table'
  LOOP
    IF citus_stand_in.kind_of(changed.relation) <> 'local' THEN
      -- Citus sends the other nodes the whole text that came with the statement.
      IF current_query() ~ ';\\s*\\S' THEN
        RAISE EXCEPTION 'cannot insert multiple commands into a prepared statement' USING ERRCODE = 'syntax_error';
      END IF;
      PERFORM citus_stand_in.fail_if_due();
      PERFORM citus_stand_in.check_foreign_keys(changed.relation);
    END IF;
  END LOOP;
END $$;
CREATE EVENT TRIGGER citus_stand_in ON ddl_command_end WHEN TAG IN ('ALTER TABLE')
  EXECUTE FUNCTION check_changed_tables();

-- Citus checks the owner of an extension before it looks whether the extension exists (extension.c).
CREATE FUNCTION check_extension() RETURNS event_trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    RAISE EXCEPTION 'must be owner of extension' USING ERRCODE = 'insufficient_privilege';
  END IF;
END $$;
CREATE EVENT TRIGGER citus_stand_in_extension ON ddl_command_start WHEN TAG IN ('CREATE EXTENSION')
  EXECUTE FUNCTION check_extension();

-- After an interrupted CREATE INDEX CONCURRENTLY only the coordinator has the index, and a DROP INDEX goes to the shards too.
CREATE FUNCTION check_dropped_index() RETURNS event_trigger LANGUAGE plpgsql AS $$
DECLARE
  dropped text := substring(current_query() FROM '(?i)DROP INDEX CONCURRENTLY (?!IF EXISTS)(\\w+)');
BEGIN
  IF EXISTS (SELECT 1 FROM pg_index WHERE indexrelid = to_regclass(dropped) AND NOT indisvalid) THEN
    RAISE EXCEPTION 'index "%_102236" does not exist', dropped USING ERRCODE = 'undefined_object';
  END IF;
END $$;
CREATE EVENT TRIGGER citus_stand_in_index ON ddl_command_start WHEN TAG IN ('DROP INDEX')
  EXECUTE FUNCTION check_dropped_index();

-- Everybody can read the catalog of Citus.
GRANT USAGE ON SCHEMA citus_stand_in TO PUBLIC;
GRANT SELECT ON ALL TABLES IN SCHEMA citus_stand_in TO PUBLIC;
`;
