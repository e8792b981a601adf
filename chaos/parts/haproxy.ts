import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../server/test/free-port.ts';
import { pathOf } from './programs.ts';
import { until, type World } from './world.ts';

const firstChecksMilliseconds = 4_000;

export interface HaproxyServer {
  readonly name: string;
  readonly port: number;
  /** The port that answers the check, if it is another one. */
  readonly checkPort?: number;
}

/** Starts HAProxy before PostgreSQL: it leads to the node whose Patroni says that it is the primary. Returns its port. */
export async function startPrimaryBalancer(world: World, servers: readonly HaproxyServer[]): Promise<number> {
  const port = await startHaproxy(
    world,
    ['mode tcp', 'timeout connect 2s', 'timeout client 30m', 'timeout server 30m', 'timeout check 2s'],
    [
      'option httpchk OPTIONS /primary',
      'default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions',
      ...servers.map(serverLine),
    ],
  );
  // Until two checks have failed, HAProxy also leads to the standbys.
  await sleep(firstChecksMilliseconds);
  return port;
}

/** Starts HAProxy before several processes of Gatehouse, with its defaults for repeating requests. Returns its port. */
export function startServiceBalancer(world: World, servers: readonly HaproxyServer[]): Promise<number> {
  return startHaproxy(
    world,
    ['mode http', 'timeout connect 2s', 'timeout client 30s', 'timeout server 30s'],
    ['option httpchk GET /readyz', 'default-server inter 500ms fall 2 rise 2', ...servers.map(serverLine)],
  );
}

function serverLine({ name, port, checkPort }: HaproxyServer): string {
  return `server ${name} 127.0.0.1:${port} check${checkPort === undefined ? '' : ` port ${checkPort}`}`;
}

async function startHaproxy(
  world: World,
  defaults: readonly string[],
  lines: readonly string[],
): Promise<number> {
  const port = await freePort();
  const file = path.join(world.folder, 'haproxy.cfg');
  const listen = [`bind 127.0.0.1:${port}`, ...lines, 'http-check expect status 200'];
  const sections = { global: ['maxconn 500'], defaults, 'listen balancer': listen };
  const text = Object.entries(sections).map(
    ([name, own]) => `${name}\n${own.map((line) => `  ${line}\n`).join('')}`,
  );
  writeFileSync(file, text.join(''));
  const program = await world.processes.start('haproxy', pathOf('haproxy'), ['-f', file, '-db']);
  await until('the start of HAProxy', 30, () => {
    if (!program.isRunning()) throw new Error(`HAProxy ended: ${program.output().slice(-1_000)}`);
    return accepts(port);
  });
  return port;
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}
