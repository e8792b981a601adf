import sql from 'sql-template-tag';
import type { Queries } from '../../storage/database.ts';
import { hasCitus, readCitusCatalog } from '../../storage/postgres/citus/citus-catalog.ts';
import {
  findMisplaced,
  findObstacles,
  isDistributed,
} from '../../storage/postgres/citus/distribution-plan.ts';
import { type Check, fail, ok, warn } from './check.ts';

const maxShown = 3;

/** Checks a PostgreSQL with Citus: whether every table is where it belongs, and whether every node is in use. */
export async function checkCitus(db: Queries): Promise<Check[]> {
  const read = <Row>(statement: Parameters<Queries['all']>[0]) => db.all<Row>(statement);
  if (!(await hasCitus(read))) return [];
  const { version } = (await db.get<{ version: string }>(sql`SELECT citus_version() AS version`))!;
  const name = version.split(' on ')[0]!;
  const catalog = await readCitusCatalog(read);
  if (!isDistributed(catalog)) {
    const advice = 'Distribute them: ./gatehouse migrate --citus (see docs/operations/citus.md).';
    return [warn('citus', `${name}, but all tables are on this server`, advice)];
  }
  const problems = [...findMisplaced(catalog), ...findObstacles(catalog)];
  const count = (kind: string) => catalog.tables.filter((table) => table.kind === kind).length;
  return [
    problems.length === 0
      ? ok('citus', `${name}, ${count('distributed')} distributed and ${count('reference')} reference tables`)
      : fail('citus', shown(problems), 'Distribute what is missing: ./gatehouse migrate --citus.'),
    await checkNodes(db),
  ];
}

async function checkNodes(db: Queries): Promise<Check> {
  const nodes = await db.all<{ name: string; in_use: boolean }>(sql`
    SELECT nodename || ':' || nodeport AS name, isactive AND metadatasynced AS in_use FROM pg_dist_node
    WHERE noderole = 'primary' ORDER BY nodename, nodeport`);
  const unused = nodes.filter(({ in_use }) => !in_use).map(({ name }) => name);
  return unused.length === 0
    ? ok('citus nodes', nodes.map(({ name }) => name).join(', '))
    : fail(
        'citus nodes',
        `not in use: ${shown(unused)}`,
        'Start them, and see citus_check_cluster_node_health().',
      );
}

function shown(texts: readonly string[]): string {
  const more = texts.length - maxShown;
  return texts.slice(0, maxShown).join('; ') + (more > 0 ? `; and ${more} more` : '');
}
