import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Migration } from '../database.ts';
import { extensionStatement } from '../postgres/migrations/migration-steps.ts';
import { type Effect, effectsOf } from '../postgres/statement-locks.ts';
import { readMigration } from './migration-file.ts';
import { migrationsFor } from './migrations.ts';

/** A transaction waits at most 200 ms for each, and the writes that queue behind it wait as long. */
const maxLockedTables = 2;
/** Tables of a few rows, which no request of a visitor changes: what is done to them takes a moment. */
const smallTables = ['job_leases', 'setup_tokens'];

const source = fileURLToPath(new URL('../..', import.meta.url));
const known = { sqlite: migrationsFor('sqlite'), postgres: migrationsFor('postgres') };
const textOf = (name: string, dialect: string) =>
  readFileSync(`${source}/storage/migrations/${name}.${dialect}.sql`, 'utf8');

test('both stores have the same migrations, which are usable from the same ones', () => {
  const compared = ({ name, usableFrom }: Migration) => ({ name, usableFrom });
  expect(known.sqlite.map(compared)).toEqual(known.postgres.map(compared));
});

test('every migration says which programs can still use the tables', () => {
  const silent = known.postgres
    .filter(({ name }) => !/^-- usable from: /m.test(textOf(name, 'postgres')))
    .map(
      ({ name }) =>
        `${name}: add the line "-- usable from: <name>" with the oldest migration whose programs can still use the tables ` +
        '(the last one of the minor version before, if nothing that it uses goes away), in both files.',
    );
  expect(silent).toEqual([]);
  const names = known.postgres.map(({ name }) => name);
  expect(known.postgres.filter(({ usableFrom }) => !names.includes(usableFrom))).toEqual([]);
});

test('no migration lets requests wait', () => {
  expect(known.postgres.flatMap(problemsOf)).toEqual([]);
});

test('an extension is created in the form in which one that exists is left out', () => {
  const texts = known.postgres.map(({ name }) => textOf(name, 'postgres'));
  const all = texts.flatMap((text) => text.match(/^.*\bEXTENSION\b.*$/gim) ?? []);
  expect(all.length).toBeGreaterThan(0);
  expect(all.filter((line) => line.search(extensionStatement) === -1)).toEqual([]);
});

test('no statement of the service breaks when a migration adds a column', () => {
  // PostgreSQL rejects a prepared statement whose columns have changed.
  const files = globSync('**/*.ts', { cwd: source, exclude: ['**/*.test.ts', 'storage/sqlite/**'] });
  const found = files.filter((file) =>
    /(?<!\(\s*)SELECT \*(?! FROM \(SELECT (?!\*))|RETURNING \*/.test(
      readFileSync(`${source}/${file}`, 'utf8'),
    ),
  );
  expect(found).toEqual([]);
});

/** What would let requests wait for longer than a moment, with advice. */
function problemsOf({ name, steps }: Migration): string[] {
  return effectsOf(steps).flatMap((effects, index) => {
    const where = `${name}, step ${index + 1}`;
    const problems = effects.flatMap(({ action, advice, tables }) => {
      const isSmall = tables.length > 0 && tables.every((table) => smallTables.includes(table));
      return advice === undefined || isSmall ? [] : [`${where} ${action}. ${advice}`];
    });
    if (steps[index]!.kind === 'transaction') problems.push(...crowdedProblems(effects, where));
    return problems;
  });
}

function crowdedProblems(effects: readonly Effect[], where: string): string[] {
  const tables = new Set(effects.flatMap(({ lock, tables }) => (lock === 'none' ? [] : tables)));
  const locks = new Set(effects.map(({ lock }) => lock));
  return [
    ...(tables.size > maxLockedTables
      ? [`${where} locks ${[...tables].join(', ')}. Make a step for each table.`]
      : []),
    ...(locks.has('scan') && locks.has('moment')
      ? [`${where} reads all rows while it has locks. Move VALIDATE CONSTRAINT to a step of its own.`]
      : []),
  ];
}

const check = (text: string) => problemsOf(readMigration('postgres', '0002-example', text));

test.each([
  'ALTER TABLE members ADD COLUMN nickname text;',
  'ALTER TABLE members ADD COLUMN nickname text COLLATE "C" NOT NULL DEFAULT \'\', ADD COLUMN age integer;',
  'ALTER TABLE members ADD COLUMN seen_at timestamptz(3) NOT NULL DEFAULT now();',
  'ALTER TABLE members DROP COLUMN paid;',
  'ALTER TABLE emails DROP CONSTRAINT emails_kind_check;',
  "ALTER TABLE emails ADD CONSTRAINT emails_kind_check CHECK (kind IN ('login_link', 'notice')) NOT VALID;",
  'ALTER TABLE members ALTER COLUMN paid SET DEFAULT false;',
  'ALTER TABLE members ALTER COLUMN site_id SET STATISTICS 0;',
  'ALTER TABLE setup_tokens ADD CONSTRAINT setup_tokens_pkey PRIMARY KEY (site_id, hash);',
  `CREATE TABLE nicknames (site_id uuid NOT NULL REFERENCES sites (id), name text);
   CREATE INDEX nicknames_name ON nicknames (site_id, name);
   ALTER TABLE nicknames ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY;
   INSERT INTO nicknames (name) VALUES ('Ada');`,
  `-- step: transaction
   ALTER TABLE members ADD CONSTRAINT members_paid CHECK (paid IS NOT NULL) NOT VALID;
   -- step: transaction
   ALTER TABLE members VALIDATE CONSTRAINT members_paid;
   -- step: transaction
   ALTER TABLE members ALTER COLUMN paid SET NOT NULL, DROP CONSTRAINT members_paid;`.replaceAll(/^ +/gm, ''),
  '-- step: concurrently\nCREATE UNIQUE INDEX CONCURRENTLY members_number ON members (site_id, number);',
  '-- step: batches of members by site_id, id\nUPDATE members SET paid = false WHERE paid IS NULL AND :batch;',
  'SELECT 1;',
])('%j lets no request wait', (text) => {
  expect(check(text)).toEqual([]);
});

test.each([
  ['CREATE INDEX members_paid ON members (site_id, paid);', 'Write CREATE INDEX CONCURRENTLY'],
  ['ALTER TABLE members ADD COLUMN id2 uuid DEFAULT gen_random_uuid();', 'fill it in steps'],
  ['ALTER TABLE members ADD COLUMN nickname text NOT NULL;', 'fill it in steps'],
  ["ALTER TABLE members ADD COLUMN kind text CHECK (kind = 'a');", 'fill it in steps'],
  ['ALTER TABLE members ADD COLUMN n bigint GENERATED ALWAYS AS IDENTITY;', 'fill it in steps'],
  ['ALTER TABLE members ADD COLUMN n bigserial;', 'fill it in steps'],
  ['ALTER TABLE members ALTER COLUMN paid TYPE text;', 'fill it in steps'],
  ['ALTER TABLE members ALTER paid SET DATA TYPE text USING paid::text;', 'fill it in steps'],
  ['ALTER TABLE members ALTER COLUMN paid SET NOT NULL;', 'First add CHECK (paid IS NOT NULL) NOT VALID'],
  ['ALTER TABLE members ADD CONSTRAINT members_paid CHECK (paid);', 'Add the constraint as NOT VALID'],
  ['ALTER TABLE members ADD CONSTRAINT u UNIQUE (site_id, paid);', 'CREATE UNIQUE INDEX CONCURRENTLY'],
  ['ALTER TABLE members ADD CHECK (paid);', 'What this locks is not known'],
  ['ALTER TABLE members SET UNLOGGED;', 'What this locks is not known'],
  ['UPDATE members SET paid = false;', '":batch" in the condition'],
  ['CREATE TABLE a (id uuid); INSERT INTO a (id) SELECT id FROM members;', '":batch" in the condition'],
  ['DELETE FROM events;', '":batch" in the condition'],
  ['LOCK TABLE members;', 'What this locks is not known'],
  ['CLUSTER members;', 'What this locks is not known'],
  [
    'ALTER TABLE members ADD COLUMN a int; ALTER TABLE events ADD COLUMN a int; ALTER TABLE emails ADD COLUMN a int;',
    'locks members, events, emails. Make a step for each table.',
  ],
  [
    'ALTER TABLE members ADD CONSTRAINT c CHECK (paid) NOT VALID; ALTER TABLE members VALIDATE CONSTRAINT c;',
    'Move VALIDATE CONSTRAINT to a step of its own',
  ],
  [
    'ALTER TABLE members ADD CONSTRAINT c CHECK (paid IS NOT NULL) NOT VALID; ALTER TABLE members ALTER paid SET NOT NULL;',
    'validate it in a step of its own',
  ],
])('%j is found, with advice', (text, advice) => {
  expect(check(text)).toEqual([expect.stringContaining(advice)]);
});
