import { expect, test } from 'vitest';
import type { Migration } from '../database.ts';
import { readMigration } from './migration-file.ts';
import { planMigrations } from './migration-plan.ts';
import { type AppliedMigration, pendingMigrations } from './migrations.ts';

const onPostgres = (text: string, name = '0002-nicknames') => readMigration('postgres', name, text);

test('a migration consists of steps', () => {
  const { steps, usableFrom } = onPostgres(`-- What a member is called.
-- usable from: 0001-schema

-- step: transaction
ALTER TABLE members ADD COLUMN nickname text; -- empty; so far
CREATE TABLE nicknames (name text DEFAULT ';');
-- step: batches of members by site_id, id
UPDATE members SET nickname = display_name WHERE nickname IS NULL AND :batch;
-- step: concurrently
-- For the list.
CREATE INDEX CONCURRENTLY members_by_nickname
  ON members (site_id, nickname);
`);
  expect(usableFrom).toBe('0001-schema');
  expect(steps).toEqual([
    { kind: 'transaction', script: expect.stringContaining("DEFAULT ';'") },
    {
      kind: 'batches',
      script: 'UPDATE members SET nickname = display_name WHERE nickname IS NULL AND :batch',
      table: 'members',
      key: ['site_id', 'id'],
    },
    {
      kind: 'concurrently',
      script: 'CREATE INDEX CONCURRENTLY members_by_nickname ON members (site_id, nickname)',
      index: 'members_by_nickname',
    },
  ]);
});

test('a migration without such lines is one transaction, and only programs that know it can use the tables', () => {
  const text = 'CREATE TABLE a (id int);\n-- A comment about the usable steps.\nCREATE TABLE b (id int);\n';
  expect(onPostgres(text)).toMatchObject({
    usableFrom: '0002-nicknames',
    steps: [{ kind: 'transaction', script: `${text}\n` }],
  });
});

test.each([
  ['-- step: later\nSELECT 1;', 'a line that is not understood'],
  ['-- Step: transaction\nSELECT 1;', 'a line that is not understood'],
  ['-- step: transaction\n', 'a step without a statement'],
  ['SELECT 1;\n-- step: transaction\nSELECT 1;', 'statements before its first step'],
  [
    '-- step: concurrently\nCREATE INDEX members_x ON members (id);',
    'can only run CREATE INDEX CONCURRENTLY',
  ],
  ['-- step: concurrently\nDROP INDEX CONCURRENTLY a;', 'DROP INDEX CONCURRENTLY IF EXISTS name'],
  ['-- step: concurrently\nDROP INDEX CONCURRENTLY IF EXISTS a;\nSELECT 1;', 'more than one statement'],
  ['-- step: batches of members by site_id, id\nUPDATE members SET paid = true;', 'with :batch once'],
  ['-- step: batches of members\nUPDATE members SET paid = true WHERE :batch;', 'is not understood'],
  ['-- usable from: 0.1\nSELECT 1;', 'not this migration or an earlier one'],
  ['-- usable from: 0003-later\nSELECT 1;', 'not this migration or an earlier one'],
  ['-- usable from 0001-schema\nSELECT 1;', 'is not understood'],
  ['-- step: transaction\nSELECT 1;\n-- usable from: 0001-schema', 'before its first step'],
])('the file %j is rejected', (text, problem) => {
  expect(() => onPostgres(text)).toThrow(problem);
});

test('a migration for SQLite has no steps', () => {
  const text = '-- step: transaction\nSELECT 1;\n-- step: transaction\nSELECT 1;';
  expect(() => readMigration('sqlite', '0002-nicknames', text)).toThrow('SQLite runs a migration as one');
});

const known = ['0001-schema', '0002-nicknames'].map((name) => onPostgres('SELECT 1;', name));
const applied = (
  { name, hash, usableFrom }: Migration,
  change: Partial<AppliedMigration> = {},
): AppliedMigration => ({ name, hash, usableFrom, version: '0.1.0', remainingSteps: 0, ...change });
const ofKnown = known.map((migration) => applied(migration));
const newer = (usableFrom: string, name = '0003-titles') => ({
  name,
  hash: 'x',
  usableFrom,
  version: '0.2.0',
  remainingSteps: 0,
});

test('a program can use the tables of a newer version exactly if each migration that it does not know allows it', () => {
  const pending =
    (...more: AppliedMigration[]) =>
    () =>
      pendingMigrations(known, [...ofKnown, ...more]);
  expect(pending()()).toEqual([]);
  expect(pending(newer('0002-nicknames'))()).toEqual([]);
  expect(pending(newer('0001-schema'), newer('0002-nicknames', '0004-notes'))()).toEqual([]);
  expect(pending({ ...newer('0002-nicknames'), remainingSteps: 2 })()).toEqual([]);
  for (const forbidden of [newer('0003-titles'), newer('0004-notes', '0004-notes')]) {
    expect(pending(forbidden)).toThrow('which this version of Gatehouse does not know');
    expect(pending(newer('0001-schema', '0004-notes'), forbidden)).toThrow('Start the newer version.');
  }
});

test('a database that lacks a migration before that of a newer version, or has another one, cannot be used', () => {
  expect(() => pendingMigrations(known, [ofKnown[0]!, newer('0001-schema')])).toThrow(
    'but lacks 0002-nicknames',
  );
  const other = newer('0001-schema', '0001-others');
  expect(() => pendingMigrations(known, [...ofKnown, other])).toThrow('the migration 0001-others');
  const changed = applied(known[1]!, { hash: 'x' });
  expect(() => pendingMigrations(known, [ofKnown[0]!, changed])).toThrow('was changed after it was applied');
});

test('a migration that has not run to its end is pending', () => {
  const started = applied(known[1]!, { remainingSteps: 1 });
  expect(pendingMigrations(known, [ofKnown[0]!, started])).toEqual([known[1]]);
});

test('a plan says what each remaining step does and locks, and whether the version before can continue', () => {
  const steps = `-- step: transaction
ALTER TABLE members ADD COLUMN nickname text;
-- step: batches of members by site_id, id
UPDATE members SET nickname = display_name WHERE :batch;
-- step: concurrently
CREATE INDEX CONCURRENTLY members_by_nickname ON members (site_id, nickname);`;
  const allowing = onPostgres(`-- usable from: 0002-nicknames\n${steps}`, '0003-titles');
  const plan = planMigrations('postgres', [...known, allowing], ofKnown);
  expect(plan).toMatchObject({ isNew: false, earlierVersionContinues: true });
  expect(
    plan.migrations[0]!.steps.flatMap(({ effects }) =>
      effects.map(({ action, meaning }) => `${action}: ${meaning}`),
    ),
  ).toEqual([
    'adds the column nickname to members: a lock of a moment on members, retried',
    'changes rows of members in steps: locks no table in use',
    'builds the index members_by_nickname on members: blocks no writes',
  ]);

  const started = applied(allowing, { remainingSteps: 1 });
  const rest = planMigrations('postgres', [...known, allowing], [...ofKnown, started]);
  expect(rest).toMatchObject({ earlierVersionContinues: true });
  expect(rest.migrations[0]!.steps).toEqual([plan.migrations[0]!.steps[2]]);

  const closing = onPostgres(steps, '0003-titles');
  expect(planMigrations('postgres', [...known, closing], ofKnown).earlierVersionContinues).toBe(false);
  const closingStarted = applied(closing, { remainingSteps: 1 });
  expect(
    planMigrations('postgres', [...known, closing], [...ofKnown, closingStarted]).earlierVersionContinues,
  ).toBe(false);
});
