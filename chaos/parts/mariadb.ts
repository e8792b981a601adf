import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../../server/test/free-port.ts';
import { databaseUser, pathOf } from './programs.ts';
import { until, type World } from './world.ts';

/** A server of MariaDB with its own data, for local connections of `root` without a password. */
export interface MariaDbServer {
  readonly port: number;
}

export async function startMariaDb(world: World): Promise<MariaDbServer> {
  const folder = path.join(world.folder, 'mariadb');
  mkdirSync(folder, { mode: 0o755 });
  const user = databaseUser('mysql');
  if (user) chownSync(folder, user.uid, user.gid);
  const own = ['--no-defaults', `--datadir=${path.join(folder, 'data')}`, ...(user ? ['--user=mysql'] : [])];
  execFileSync('mariadb-install-db', [...own, '--auth-root-authentication-method=normal'], {
    stdio: 'ignore',
  });
  const port = await freePort();
  const network = [`--port=${port}`, '--bind-address=127.0.0.1', `--socket=${path.join(folder, 'socket')}`];
  const program = await world.processes.start('mariadb', pathOf('mariadb'), [...own, ...network]);
  await until('the start of MariaDB', 60, () => program.output().includes('ready for connections'));
  return { port };
}
