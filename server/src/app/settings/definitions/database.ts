import { parseSecretKeys } from '../../../base/encryption/secret-box.ts';
import { dialectOf } from '../../../storage/database-url.ts';
import { parsePostgresUrl } from '../../../storage/postgres/connections/postgres-url.ts';
import type { Definitions } from '../setting-definition.ts';
import { wholeNumber } from '../setting-values.ts';

export const databaseSettings = {
  GATEHOUSE_DATABASE_URL: {
    default: 'sqlite:./data/gatehouse.db',
    about: 'the database: a file, or `postgres://user:password@host/name` (PostgreSQL 15 or later)',
    details:
      'A PostgreSQL on another machine is reached with [TLS](operations/postgresql.md#encryption), also with [several hosts](operations/postgresql.md#failover) or through [a pooler](operations/postgresql.md#pgbouncer)',
    isSecret: true,
    expected:
      'sqlite:<path> or postgres://<user>:<password>@<host>/<name>, with a percent sign and two digits for each special character of the password, such as %40 for @',
    parse: (text: string) => (isDatabaseUrl(text) ? text : undefined),
  },
  GATEHOUSE_DATABASE_DIRECT_URL: {
    default: undefined,
    about:
      'the same database without the pooler, for signals between processes, migrations and the command line',
    isSecret: true,
    expected:
      'postgres://<user>:<password>@<host>/<name>, the same database without a pooler and without prepare=false',
    parse: (text: string) => (parsePostgresUrl(text)?.prepares ? text : undefined),
  },
  GATEHOUSE_DATABASE_POOL_SIZE: {
    default: 10,
    about: 'connections of one process to PostgreSQL',
    details:
      'It has one more for signals and, while sources are synchronized, at most 4 more. Each worker has its own: a machine opens workers × (pool size + 1), and up to workers × 4 for synchronizations',
    ...wholeNumber(2, 1_000, 'connections'),
  },
  GATEHOUSE_SECRET_KEY: {
    default: [] as readonly string[],
    shownDefault: 'SQLite: the file `<database>.key`',
    about: 'the key that encrypts secrets in the database, such as the token of a workspace',
    details:
      'Required with PostgreSQL: `./gatehouse secret-key` prints one. To [change it](command-line.md#secret-key), set the new and the old key, separated by a comma',
    isSecret: true,
    expected: 'a key of ./gatehouse secret-key, or the new key and the old one, separated by a comma',
    parse: parseSecretKeys,
  },
} satisfies Definitions;

function isDatabaseUrl(text: string): boolean {
  try {
    return dialectOf(text) === 'postgres'
      ? parsePostgresUrl(text) !== undefined
      : text.length > 'sqlite:'.length;
  } catch {
    return false;
  }
}
