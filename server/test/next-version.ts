import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { runCommand } from '../src/commands/main.ts';
import type { Dialect, Migration } from '../src/storage/database.ts';
import { readMigration } from '../src/storage/migrations/migration-file.ts';
import { migrationsFor } from '../src/storage/migrations/migrations.ts';
import { type CommandOptions, commandsOn } from './command-line.ts';
import { stopInTheEnd } from './stores.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));

/** The version of its commands. */
export const nextVersion = '9.0.0';

const newest = migrationsFor('sqlite').at(-1)!.name;
const callsigns = `-- What a member is called in lists.
-- usable from: ${newest}
`;
const purposes = `-- A challenge can have another purpose, and is called a nonce.
-- usable from: 9002-purposes
`;

/** The migrations of the next version. The version before can use the tables after the first, and not after the second. */
const texts: Readonly<Record<Dialect, Readonly<Record<string, string>>>> = {
  sqlite: {
    '9001-callsigns': `${callsigns}
ALTER TABLE members ADD COLUMN callsign TEXT;
UPDATE members SET callsign = display_name;
CREATE INDEX members_by_callsign ON members (site_id, callsign);
`,
    '9002-purposes': `${purposes}
-- The table is created anew, as a check of a column cannot be changed.
CREATE TABLE passkey_challenges_again (
  site_id TEXT NOT NULL REFERENCES sites (id),
  browser_hash TEXT NOT NULL,
  purpose TEXT NOT NULL CHECK (purpose IN ('add', 'log_in', 'confirm')),
  nonce TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (site_id, browser_hash)
) STRICT, WITHOUT ROWID;
INSERT INTO passkey_challenges_again (site_id, browser_hash, purpose, nonce, expires_at)
SELECT site_id, browser_hash, purpose, challenge, expires_at FROM passkey_challenges;
DROP TABLE passkey_challenges;
ALTER TABLE passkey_challenges_again RENAME TO passkey_challenges;
CREATE INDEX passkey_challenges_by_age ON passkey_challenges (expires_at);
`,
  },
  postgres: {
    '9001-callsigns': `${callsigns}
-- step: transaction
ALTER TABLE members ADD COLUMN callsign text;
-- step: batches of members by site_id, id
UPDATE members SET callsign = display_name WHERE callsign IS NULL AND :batch;
-- step: concurrently
CREATE INDEX CONCURRENTLY members_by_callsign ON members (site_id, callsign);
`,
    '9002-purposes': `${purposes}
-- step: transaction
ALTER TABLE passkey_challenges DROP CONSTRAINT passkey_challenges_purpose_check;
ALTER TABLE passkey_challenges ADD CONSTRAINT passkey_challenges_purpose_check
  CHECK (purpose IN ('add', 'log_in', 'confirm')) NOT VALID;
-- step: transaction
ALTER TABLE passkey_challenges VALIDATE CONSTRAINT passkey_challenges_purpose_check;
-- step: transaction
ALTER TABLE passkey_challenges RENAME COLUMN challenge TO nonce;
`,
  },
};

/** The migrations that the next version adds to those of this one, in order. */
export function nextMigrations(dialect: Dialect): Migration[] {
  return Object.entries(texts[dialect]).map(([name, text]) => readMigration(dialect, name, text));
}

/**
 * The commands of the next version on one database: those of a copy of this version with more migrations. A test
 * file loads the copy once, into its own process.
 */
export function nextCommandsOn(databaseUrl: string) {
  const run = commandsOn(databaseUrl);
  return async (args: readonly string[], options: CommandOptions = {}) => {
    loaded ??= load();
    return run(args, { ...options, version: await loaded });
  };
}

let loaded: Promise<typeof runCommand> | undefined;

async function load(): Promise<typeof runCommand> {
  const copy = mkdtempSync(path.join(tmpdir(), 'gatehouse-next-version-'));
  stopInTheEnd(async () => {
    loaded = undefined;
    rmSync(copy, { recursive: true });
  });
  for (const name of ['package.json', 'server/package.json', 'server/src']) {
    const filter = (file: string) => !file.endsWith('.test.ts');
    cpSync(path.join(repository, name), path.join(copy, name), { recursive: true, filter });
  }
  const manifest = path.join(copy, 'package.json');
  const { version: _, ...others } = JSON.parse(readFileSync(manifest, 'utf8'));
  writeFileSync(manifest, JSON.stringify({ ...others, version: nextVersion }));
  for (const name of ['node_modules', 'server/node_modules'])
    symlinkSync(path.join(repository, name), path.join(copy, name));
  for (const [dialect, files] of Object.entries(texts)) {
    for (const [name, text] of Object.entries(files))
      writeFileSync(path.join(copy, `server/src/storage/migrations/${name}.${dialect}.sql`), text);
  }
  const main: { runCommand: typeof runCommand } = await import(
    pathToFileURL(path.join(copy, 'server/src/commands/main.ts')).href
  );
  return main.runCommand;
}
