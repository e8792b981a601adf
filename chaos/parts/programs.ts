import { existsSync, readFileSync } from 'node:fs';

/** The programs of Debian that the scenarios use: where they are, and the package that has them. */
const programs = {
  postgres: { paths: ['/usr/lib/postgresql/15/bin/postgres'], package: 'postgresql-15' },
  patroni: { paths: ['/usr/bin/patroni'], package: 'patroni' },
  etcd: { paths: ['/usr/bin/etcd'], package: 'etcd-server' },
  pgbouncer: { paths: ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'], package: 'pgbouncer' },
  haproxy: { paths: ['/usr/sbin/haproxy', '/usr/bin/haproxy'], package: 'haproxy' },
  redis: { paths: ['/usr/bin/redis-server'], package: 'redis-server' },
  mariadb: { paths: ['/usr/sbin/mariadbd'], package: 'mariadb-server' },
  php: { paths: ['/usr/bin/php'], package: 'php-cli' },
  phpMysql: { paths: ['/usr/share/php8.2-mysql'], package: 'php-mysql' },
  wordpress: { paths: ['/usr/share/wordpress'], package: 'wordpress' },
} as const;

export type ProgramName = keyof typeof programs;

export const postgresFolder = '/usr/lib/postgresql/15/bin';

/** The path of a program that is known to be installed. */
export function pathOf(name: ProgramName): string {
  const path = programs[name].paths.find((each) => existsSync(each));
  if (path === undefined) throw new Error(`${programs[name].package} of Debian is missing.`);
  return path;
}

/** The packages of Debian that are missing for these programs. */
export function missingPackages(names: readonly ProgramName[]): string[] {
  const missing = names.filter((name) => !programs[name].paths.some((path) => existsSync(path)));
  return [...new Set(missing.map((name) => programs[name].package))];
}

export interface User {
  readonly uid: number;
  readonly gid: number;
}

/** Whom PostgreSQL, etcd or MariaDB run as when this program runs as root: PostgreSQL refuses to be root. */
export function databaseUser(name: 'postgres' | 'mysql' = 'postgres'): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const found = users.find(([each]) => each === name);
  if (!found) throw new Error(`There is no user ${name}. Install the package of Debian that creates it.`);
  return { uid: Number(found[2]), gid: Number(found[3]) };
}
