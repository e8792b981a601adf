import sql from 'sql-template-tag';
import type { Queries } from '../../../../storage/database.ts';
import { hasCitus, readCitusCatalog } from '../../../../storage/postgres/citus/citus-catalog.ts';
import {
  findMisplaced,
  findObstacles,
  isDistributed,
} from '../../../../storage/postgres/citus/distribution-plan.ts';
import { type Check, fail, ok, warn, within } from '../check.ts';

const maxShown = 3;
const connectTimeout = '2s';
/** A node with which the coordinator is connected already has no timeout of its own. */
const maxResponseMilliseconds = 4_000;

/** Checks a PostgreSQL with Citus: whether every table is where it belongs, and whether every node responds. */
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

interface Node {
  readonly host: string;
  readonly port: number;
  readonly in_use: boolean;
}

/** Whether each node is in use and responds, the coordinator as well as the workers each other. */
async function checkNodes(db: Queries): Promise<Check> {
  const nodes = await db.all<Node>(sql`
    SELECT nodename AS host, nodeport AS port, isactive AND metadatasynced AS in_use FROM pg_dist_node
    WHERE noderole = 'primary' ORDER BY nodename, nodeport`);
  const unused = nodes.filter(({ in_use }) => !in_use).map(nameOf);
  const reachable = await Promise.all(nodes.map((node) => isReachable(db, node)));
  const silent = nodes.filter((node, index) => node.in_use && !reachable[index]).map(nameOf);
  const problems = [
    ...(unused.length === 0 ? [] : [`not in use: ${shown(unused)}`]),
    ...(silent.length === 0 ? [] : [`no answer within 2 s: ${shown(silent)}`]),
  ];
  if (problems.length === 0) problems.push(...(await findBrokenLinks(db)));
  if (problems.length === 0) return ok('citus nodes', nodes.map(nameOf).join(', '));
  const advice =
    'Start the node, or have its standby take over. What stops meanwhile: docs/operations/citus.md.';
  return fail('citus nodes', problems.join('; '), advice);
}

/** A process that is frozen accepts connections and says nothing, so that only a time limit finds it. */
async function isReachable(db: Queries, { host, port }: Node): Promise<boolean> {
  const response = db.get<{ is_reachable: boolean }>(sql`
    WITH setting AS MATERIALIZED (SELECT set_config('citus.node_connection_timeout', ${connectTimeout}, true) AS value)
    SELECT value <> '' AND citus_check_connection_to_node(${host}, ${port}::integer) AS is_reachable FROM setting`);
  return within(maxResponseMilliseconds, response).then(
    (row) => row!.is_reachable,
    () => false,
  );
}

/** The nodes that respond to the coordinator, but not each other. */
async function findBrokenLinks(db: Queries): Promise<string[]> {
  const links = await db.all<{ link: string }>(sql`
    SELECT from_nodename || ':' || from_nodeport || ' to ' || to_nodename || ':' || to_nodeport AS link
    FROM citus_check_cluster_node_health() WHERE result IS NOT TRUE ORDER BY link`);
  return links.length === 0 ? [] : [`no connection from ${shown(links.map(({ link }) => link))}`];
}

function nameOf({ host, port }: Node): string {
  return `${host}:${port}`;
}

function shown(texts: readonly string[]): string {
  const more = texts.length - maxShown;
  return texts.slice(0, maxShown).join('; ') + (more > 0 ? `; and ${more} more` : '');
}
