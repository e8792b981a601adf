import { permissions } from '@gatehouse/contract/permissions';
import sql, { join, raw } from 'sql-template-tag';
import { newId } from '../server/src/base/ids.ts';
import { createApiKey } from '../server/src/domain/api-keys/api-keys.ts';
import { createSite } from '../server/src/domain/sites/sites.ts';
import type { Database } from '../server/src/storage/database.ts';
import { migrate } from '../server/src/storage/migrations/migrations.ts';
import { openDatabase } from '../server/src/storage/open.ts';
import { changing } from '../server/test/change.ts';
import { domains, firstNames, lastNames, threeYears } from './data.ts';
import { writeCounts } from './write-counts.ts';

export interface BenchSite {
  readonly siteId: string;
  readonly key: string;
}

const statementTimeoutMilliseconds = 600_000;

/** Opens a database for statements that take minutes. */
export function openForSlowStatements(databaseUrl: string): Database {
  return openDatabase(databaseUrl, { poolSize: 2, statementTimeoutMilliseconds });
}

/**
 * Fills an empty PostgreSQL database with sites of these sizes, with the words of `data.ts`. No statistics are collected
 * until someone asks for them. Returns the sites in the same order.
 */
export async function fillWithSites(databaseUrl: string, sizes: readonly number[]): Promise<BenchSite[]> {
  const database = openForSlowStatements(databaseUrl);
  try {
    await migrate(database);
    await database.run(sql`ALTER TABLE members SET (autovacuum_enabled = FALSE)`);
    const sites: BenchSite[] = [];
    for (const [index] of sizes.entries()) sites.push(await addSite(database, index));
    await withoutIndexes(database, () => addMembers(database, sites, sizes));
    for (const { siteId } of sites) await changing(database, siteId, writeCounts);
    return sites;
  } finally {
    await database.close();
  }
}

function addSite(database: Database, index: number): Promise<BenchSite> {
  return changing(database, newId(), async (change) => {
    const site = await createSite(change, { slug: `bench-${index}`, title: 'Bench' });
    const { secret } = await createApiKey(change, { name: 'Bench', permissions });
    return { siteId: site.id, key: secret };
  });
}

/** An index is created four times as fast as it grows row by row. */
async function withoutIndexes(database: Database, fill: () => Promise<void>): Promise<void> {
  const indexes = await database.all<{ name: string; definition: string }>(sql`
    SELECT indexname AS name, indexdef AS definition FROM pg_indexes
    WHERE tablename = 'members' AND indexname NOT IN ('members_pkey', 'members_email')`);
  for (const { name } of indexes) await database.run(sql`DROP INDEX ${raw(name)}`);
  await fill();
  for (const { definition } of indexes) await database.run(sql`${raw(definition)}`);
}

async function addMembers(
  database: Database,
  sites: readonly BenchSite[],
  sizes: readonly number[],
): Promise<void> {
  const start = new Date(Date.now() - threeYears).getTime();
  for (const size of new Set(sizes)) {
    const ofSize = sites.filter((_, index) => sizes[index] === size).map(({ siteId }) => siteId);
    const list = (items: readonly string[]) => sql`(ARRAY[${join([...items])}])`;
    const hash = (from: number) => raw(`('x' || substr(random, ${from}, 6))::bit(24)::int`);
    await database.run(sql`
      INSERT INTO members (site_id, id, email, display_name, name_key, search_text, status, verified, paid,
        registered_at, last_login_at, created_at, updated_at)
      SELECT site_id, id, email, name, lower(name), email || E'\n' || lower(name),
        CASE WHEN i % 100 = 7 THEN 'blocked' ELSE 'active' END, i % 10 < 6, i % 5 = 0, created,
        CASE WHEN i % 3 > 0 THEN created + later END, created, CASE WHEN i % 4 = 0 THEN created + later ELSE created END
      FROM (
        SELECT *, first || ' ' || last AS name,
          lower(regexp_replace(first || '.' || last || i || '@' || domain, '[^a-zA-Z0-9.@-]', '', 'g')) AS email,
          (lpad(to_hex(time), 12, '0') || '70008' || substr(random, 17, 15))::uuid AS id,
          to_timestamp(time / 1000.0) AS created, make_interval(days => ${hash(1)} % 30, secs => 1) AS later
        FROM (
          SELECT *, ${start}::bigint + i * ${threeYears}::bigint / ${size}::bigint AS time,
            CASE WHEN i % (${size}::bigint / 5) = 3 THEN 'Quenby' WHEN i < ${size}::bigint * 0.0015 THEN 'Perpetua'
              WHEN i % 500 = 11 THEN 'Ottoline' WHEN i % 20 = 13 THEN 'Marisol'
              ELSE ${list(firstNames)}[1 + ${hash(1)} % ${firstNames.length}] END AS first,
            ${list(lastNames)}[1 + ${hash(7)} % ${lastNames.length}] AS last,
            CASE WHEN i < ${size}::bigint / 2 THEN 'archive.example'
              ELSE ${list(domains)}[1 + ${hash(11)} % ${domains.length}] END AS domain
          FROM (
            SELECT site_id, i, md5(i || site_id::text) AS random
            FROM unnest(${list(ofSize)}::uuid[]) AS site_id, generate_series(0, ${size}::bigint - 1) AS i
          ) AS numbered
        ) AS named
      ) AS member`);
  }
}
