import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../../server/test/free-port.ts';
import type { RunningProgram } from './processes.ts';
import { databaseUser, pathOf, postgresFolder } from './programs.ts';
import { until, type World } from './world.ts';

const scope = 'gatehouse';

interface Node {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
  readonly folder: string;
  readonly config: string;
  patroni: RunningProgram;
}

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/** Three nodes of PostgreSQL that Patroni manages, with synchronous replication. */
export class PatroniCluster {
  readonly nodes: readonly Node[];
  readonly #world: World;

  static async start(world: World): Promise<PatroniCluster> {
    const etcdPort = await startEtcd(world);
    const nodes: Node[] = [];
    for (const name of ['node1', 'node2', 'node3']) nodes.push(await startNode(world, name, etcdPort));
    const cluster = new PatroniCluster(world, nodes);
    // A postmaster is no child of Patroni, and stays when Patroni is killed.
    world.atEnd(() => cluster.#end());
    await cluster.untilWhole();
    return cluster;
  }

  private constructor(world: World, nodes: readonly Node[]) {
    this.#world = world;
    this.nodes = nodes;
  }

  /** The URL that names every node. */
  url(database: string): string {
    const hosts = this.nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
    return `postgres://postgres@${hosts}/${database}`;
  }

  async primary(): Promise<Node> {
    const leader = (await this.#members()).find(({ role }) => role === 'leader' || role === 'master');
    const node = this.nodes.find(({ name }) => name === leader?.name);
    if (!node) throw new Error('The cluster has no primary.');
    return node;
  }

  /** Waits until there is a primary with a synchronous standby, and every node runs. */
  async untilWhole(): Promise<void> {
    await until('a cluster with a synchronous standby', 120, async () => {
      const ended = this.nodes.find(({ patroni }) => !patroni.isRunning());
      if (ended) throw new Error(`Patroni of ${ended.name} ended: ${ended.patroni.output().slice(-1_000)}`);
      const members = await this.#members();
      const running = members.filter(({ state }) => state === 'running' || state === 'streaming');
      const roles = members.map(({ role }) => role);
      return (
        running.length === this.nodes.length && roles.includes('sync_standby') && roles.includes('leader')
      );
    });
  }

  /** Kills the primary, its server processes and its Patroni, with SIGKILL. Returns the node. */
  async killPrimary(): Promise<Node> {
    const node = await this.primary();
    const postmaster = postmasterOf(node)!;
    const pids = [postmaster, ...childrenOf(postmaster)];
    node.patroni.signal('SIGKILL');
    for (const pid of pids) killQuietly(pid);
    await node.patroni.exited;
    return node;
  }

  /** Starts Patroni on a node again, which brings its server back as a standby. */
  async restart(node: Node): Promise<void> {
    node.patroni = await startPatroni(this.#world, node);
    await this.untilWhole();
  }

  async #members(): Promise<readonly Member[]> {
    for (const { restPort } of this.nodes) {
      const signal = AbortSignal.timeout(2_000);
      const response = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal }).catch(() => undefined);
      if (response?.ok) return ((await response.json()) as { members: Member[] }).members;
    }
    return [];
  }

  async #end(): Promise<void> {
    await Promise.all(this.nodes.map(({ patroni }) => patroni.stop()));
    for (const node of this.nodes) {
      const postmaster = postmasterOf(node);
      if (postmaster !== undefined) killQuietly(postmaster, 'SIGQUIT');
    }
  }
}

async function startEtcd(world: World): Promise<number> {
  const [port, peerPort] = [await freePort(), await freePort()];
  const [client, peer] = [port, peerPort].map((each) => `http://127.0.0.1:${each}`) as [string, string];
  const program = await world.processes.start(
    'etcd',
    pathOf('etcd'),
    [
      '--data-dir',
      path.join(world.databaseFolder('etcd'), 'store'),
      '--unsafe-no-fsync',
      '--listen-client-urls',
      client,
      '--advertise-client-urls',
      client,
      '--listen-peer-urls',
      peer,
      '--initial-advertise-peer-urls',
      peer,
      '--initial-cluster',
      `default=${peer}`,
    ],
    { user: databaseUser() },
  );
  await until('etcd', 30, async () => {
    if (!program.isRunning()) throw new Error(`etcd ended: ${program.output().slice(-1_000)}`);
    return (await fetch(`${client}/health`).catch(() => undefined))?.ok;
  });
  return port;
}

async function startNode(world: World, name: string, etcdPort: number): Promise<Node> {
  const [port, restPort] = [await freePort(), await freePort()];
  const folder = world.databaseFolder(name);
  const config = path.join(world.folder, `${name}.json`);
  writeFileSync(config, JSON.stringify(configOf({ name, port, restPort, folder }, etcdPort), null, 2));
  const node = { name, port, restPort, folder, config };
  return { ...node, patroni: await startPatroni(world, node) };
}

/** Patroni reads YAML, and so JSON. */
function configOf(
  { name, port, restPort, folder }: Pick<Node, 'name' | 'port' | 'restPort' | 'folder'>,
  etcdPort: number,
) {
  // Patroni requires a password, although none is checked.
  const user = { username: 'postgres', password: 'unused' };
  return {
    scope,
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 5,
        retry_timeout: 5,
        maximum_lag_on_failover: 1_048_576,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 200, synchronous_commit: 'on' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: path.join(folder, 'data'),
      bin_dir: postgresFolder,
      pgpass: path.join(folder, 'pgpass'),
      authentication: { superuser: user, replication: user, rewind: user },
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.1/32 trust',
        'host replication all 127.0.0.1/32 trust',
      ],
      parameters: { unix_socket_directories: folder },
    },
  };
}

function startPatroni(
  world: World,
  { name, config }: Pick<Node, 'name' | 'config'>,
): Promise<RunningProgram> {
  return world.processes.start(`patroni-${name}`, pathOf('patroni'), [config], { user: databaseUser() });
}

/** The process ID of a running postmaster. A killed one leaves its file. */
function postmasterOf({ folder }: Node): number | undefined {
  try {
    const pid = Number(readFileSync(path.join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return command.includes(path.join(folder, 'data')) ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** From Linux's /proc (proc_pid_stat(5)): the name in brackets is followed by the state and the parent. */
function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter(Boolean)
    .filter((pid) => {
      try {
        const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
        return Number(fields[1]) === parent;
      } catch {
        return false;
      }
    });
}

function killQuietly(pid: number, name: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}
