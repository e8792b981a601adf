import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { normalizeDisplayName, normalizeEmail } from '@gatehouse/contract';
import { endOfDay } from '@gatehouse/contract/time-zones';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formulaText } from '../../../../member-lists/test/formula-text.ts';
import { commandsWith, temporaryFolder } from '../../../test/command-line.ts';
import { forEachStore } from '../../../test/stores.ts';
import { startTestServer, type TestServer, type TestSite } from '../../../test/test-server.ts';
import { checkGroupName } from '../../domain/access-groups/access-group.ts';

const headings =
  'id,email,displayName,status,verified,paid,groups,groupsEndAt,registeredAt,lastLoginAt,lastSeenAt,createdAt';

forEachStore((store) => {
  let started: Promise<TestServer> | undefined;
  const start = async () => {
    started ??= startTestServer(store);
    const server = await started;
    const site = await server.createSite();
    return { server, site, run: commandsWith(server, site) };
  };

  test('members are exported newest first, with all their groups', async () => {
    const { site, run } = await start();
    const groups = await Promise.all(['Choir', 'Band', 'Nobody'].map((name) => newGroup(site, name)));
    // More than one page of members, and of members of each group.
    for (const [from, ids] of [
      [0, groups.slice(0, 1)],
      [150, groups.slice(0, 2)],
      [300, []],
    ] as const) {
      const members = Array.from({ length: 150 }, (_, n) => ({ email: `p${from + n}@example.com` }));
      await site.post('/members/bulk', { members, accessGroupIds: ids });
    }
    const { exitCode, stdout } = await run(['member', 'export']);
    expect(exitCode).toBe(0);
    expect(stdout.split('\n', 1)[0]).toBe(`\uFEFF${headings}`);
    const rows: Record<string, string>[] = parse(stdout, { columns: true, bom: true });
    expect(rows.map(({ email }) => email)).toEqual(
      Array.from({ length: 450 }, (_, n) => `p${449 - n}@example.com`),
    );
    const expected = [
      ...Array<string>(150).fill(''),
      ...Array<string>(150).fill('Band;Choir'),
      ...Array<string>(150).fill('Choir'),
    ];
    expect(rows.map((row) => row.groups)).toEqual(expected);

    const some = await run(['member', 'export', '--q', 'p44', '--status', 'active']);
    expect(parse(some.stdout, { columns: true, bom: true })).toHaveLength(11);
  });

  test('spreadsheets read an export as UTF-8, and programs get nothing before the first heading', async () => {
    const { site, run } = await start();
    await site.post('/members', { email: 'ada@example.com', displayName: 'Jürgen' });
    const folder = temporaryFolder();
    for (const [options, start] of [
      [[], '\uFEFFid,'],
      [['--raw'], 'id,email'],
    ] as const) {
      const command = ['member', 'export', ...options];
      const { stdout } = await run(command);
      expect(stdout.startsWith(start)).toBe(true);
      await run([...command, '--file', 'members.csv', '--force'], { cwd: folder });
      expect(readFileSync(path.join(folder, 'members.csv'), 'utf8')).toBe(stdout);
    }
  });

  test('a file is written completely, and overwritten only with --force', async () => {
    const { site, run } = await start();
    await site.post('/members', { email: 'ada@example.com' });
    const folder = temporaryFolder();
    const first = await run(['member', 'export', '--file', 'members.csv', '--json'], { cwd: folder });
    expect(first.json).toEqual({ file: 'members.csv', members: 1 });
    const rejected = await run(['member', 'export', '--file', 'members.csv', '--json'], { cwd: folder });
    expect(rejected).toMatchObject({ exitCode: 1, json: { error: { code: 'file_exists' } } });
    expect(
      await run(['member', 'export', '--file', 'members.csv', '--force'], { cwd: folder }),
    ).toMatchObject({ exitCode: 0 });
    const wrongKey = { cwd: folder, env: { GATEHOUSE_KEY: 'gate_wrong' } };
    const unauthorized = await run(['member', 'export', '--file', 'other.csv', '--json'], wrongKey);
    expect(unauthorized).toMatchObject({ exitCode: 1, json: { error: { code: 'invalid_api_key' } } });
    expect(existsSync(path.join(folder, 'other.csv'))).toBe(false);
    expect(readdirSync(folder)).toEqual(['members.csv']);
    expect(await run(['member', 'export', '--json'])).toMatchObject({ exitCode: 2 });
  });

  test('an error of the target names the given file or its folder', async () => {
    const { run } = await start();
    const folder = path.join(temporaryFolder(), 'nowhere');
    const { exitCode, stderr } = await run(['member', 'export', '--file', path.join(folder, 'x.csv')]);
    expect([exitCode, stderr]).toEqual([
      1,
      `gatehouse: There is no folder ${folder}. Create it, or choose another file.\n`,
    ]);
  });

  test('values that a spreadsheet would run as formulas are escaped, except with --raw', async () => {
    const { site, run } = await start();
    const names = ['=1+1', '+1', '-1', '@SUM(A1)', '＝1', "'=quoted", "'quoted'", 'plain'];
    await site.post('/members/bulk', {
      members: names.map((displayName, n) => ({ email: `=p${n}@example.com`, displayName })),
    });
    const namesIn = async (...options: string[]) => {
      const { stdout } = await run(['member', 'export', ...options]);
      const rows: Record<string, string>[] = parse(stdout, { columns: true, bom: true });
      return rows.map((row) => row.displayName).reverse();
    };
    expect(await namesIn('--raw')).toEqual(names);
    expect(await namesIn()).toEqual([
      "'=1+1",
      "'+1",
      "'-1",
      "'@SUM(A1)",
      "'＝1",
      "''=quoted",
      "'quoted'",
      'plain',
    ]);
  });

  test('a list shows members as a table, or as lines of JSON', async () => {
    const { site, run } = await start();
    for (const name of ['ada', 'bob', 'cy']) await site.post('/members', { email: `${name}@example.com` });
    const lines = await run([
      'member',
      'list',
      '--limit',
      '2',
      '--sort',
      'email',
      '--order',
      'asc',
      '--json',
    ]);
    expect(
      lines.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).email),
    ).toEqual(['ada@example.com', 'bob@example.com']);
    const found = await run(['member', 'list', '--q', 'BOB']);
    expect(found.stdout.split('\n')).toHaveLength(3);
    expect(found.stdout).toContain('bob@example.com');
    const request = randomUUID();
    await site.post('/members', { email: 'new@example.com' }, { 'x-request-id': request });
    const created = ['--created-by-request', request];
    const listed = await run(['member', 'list', ...created, '--json']);
    expect(listed.json).toMatchObject({ email: 'new@example.com' });
    const exported: Record<string, string>[] = parse((await run(['member', 'export', ...created])).stdout, {
      columns: true,
    });
    expect(exported.map(({ email }) => email)).toEqual(['new@example.com']);
    expect(await run(['member', 'list', '--q', 'nobody'])).toMatchObject({
      stdout: '',
      stderr: 'Nothing matches.\n',
    });
    expect(await run(['member', 'list', '--limit', '0'])).toMatchObject({ exitCode: 2 });
  });

  test.each([
    ['Europe/Berlin', '2090-03-26', '2090-03-26T22:00:00.000Z'],
    ['America/New_York', '2090-11-05', '2090-11-06T05:00:00.000Z'],
    ['Pacific/Auckland', '2090-01-31', '2090-01-31T11:00:00.000Z'],
  ])(
    'in %s, the end of a day is exported as the day, if the key may read the site',
    async (timeZone, day, expiresAt) => {
      const { site, run } = await start();
      await site.patch('/site', { timeZone });
      const { id } = (await site.post('/members', { email: 'ada@example.com' })).body.data;
      for (const [name, end] of [
        ['Choir', expiresAt],
        ['Band', '2090-06-01T12:30:00.000Z'],
      ] as const)
        await site.post(`/access-groups/${await newGroup(site, name)}/members`, {
          memberId: id,
          expiresAt: end,
        });
      const endsIn = async (env: Record<string, string>) => {
        const { stdout } = await run(['member', 'export'], { env });
        const [row] = parse(stdout, { columns: true, bom: true }) as Record<string, string>[];
        return row!.groupsEndAt;
      };
      expect(await endsIn({})).toBe(`2090-06-01T12:30:00.000Z;${day}`);
      const narrow = await site.createKey({ permissions: ['members:read', 'access-groups:read'] });
      expect(await endsIn({ GATEHOUSE_KEY: narrow.secret })).toBe(`2090-06-01T12:30:00.000Z;${expiresAt}`);
    },
  );

  test('importing an export creates the same members with the same groups, and changes nothing on the original site', async () => {
    await fc.assert(
      fc.asyncProperty(members, fc.boolean(), timeZone, async (members, raw, timeZone) => {
        const [from, to] = [await start(), await start()];
        for (const { site } of [from, to]) await site.patch('/site', { timeZone });
        await create(from.site, members);
        const folder = temporaryFolder();
        const options = raw ? ['--raw'] : [];
        await from.run(['member', 'export', '--file', 'members.csv', ...options], { cwd: folder });
        const before = readFileSync(path.join(folder, 'members.csv'), 'utf8');
        const again = await from.run(['member', 'import', 'members.csv', '--json', ...options], {
          cwd: folder,
        });
        expect(again.json).toMatchObject({ rows: members.length, unchanged: members.length, failed: 0 });
        expect((await from.run(['member', 'export', ...options])).stdout).toBe(before);

        const copied = await to.run(
          ['member', 'import', 'members.csv', '--create-groups', '--json', ...options],
          {
            cwd: folder,
          },
        );
        expect(copied.json).toMatchObject({ created: members.length, failed: 0 });
        const [original, copy] = await Promise.all([from, to].map(({ run }) => run(['member', 'export'])));
        expect(withoutIds(copy!.stdout)).toEqual(withoutIds(original!.stdout));
      }),
      { numRuns: 5 },
    );
  }, 240_000);
});

interface MemberDraft {
  email: string;
  displayName: string | null;
  paid: boolean;
  blocked: boolean;
  registeredAt: string;
  /** With the ends of the memberships. */
  groups: { name: string; expiresAt: string | null }[];
}

/** Any text that is a valid name. */
const displayName = formulaText({ maxLength: 20 })
  .map(normalizeDisplayName)
  .filter((name) => name !== undefined);

const localCharacters = [..."abz019.!#$%&'*+/=?^_`{|}~-"];
const email = fc
  .string({ unit: fc.constantFrom(...localCharacters), minLength: 1, maxLength: 12 })
  .map((local) => normalizeEmail(`${local}@example.com`))
  .filter((address) => address !== null);

const groupName = formulaText({ minLength: 1, maxLength: 10 })
  .map(nameOrNull)
  .filter((name) => name !== null);

const timeBetween = (min: string, max: string) =>
  fc.date({ min: new Date(min), max: new Date(max), noInvalidDate: true }).map((date) => date.toISOString());
const timeZone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Auckland');
const someTime = timeBetween('2090-01-01', '9000-01-01');
const someEnd = fc.tuple(someTime, timeZone).map(([at, zone]) => endOfDay(at.slice(0, 10), zone)!);
const expiresAt = fc.option(fc.oneof(someTime, someEnd));

const members: fc.Arbitrary<MemberDraft[]> = fc
  .uniqueArray(groupName, { minLength: 1, maxLength: 4 })
  .chain((groups) =>
    fc.uniqueArray(
      fc.record({
        email,
        displayName,
        paid: fc.boolean(),
        blocked: fc.boolean(),
        registeredAt: timeBetween('1970-01-01', '2026-01-01'),
        groups: fc
          .subarray(groups)
          .chain((names) =>
            fc.tuple(...names.map((name) => fc.record({ name: fc.constant(name), expiresAt }))),
          ),
      }),
      { selector: (person) => person.email, minLength: 1, maxLength: 25 },
    ),
  );

function nameOrNull(text: string): string | null {
  try {
    return checkGroupName(text);
  } catch {
    return null;
  }
}

async function newGroup(site: TestSite, name: string): Promise<string> {
  return (await site.post('/access-groups', { name })).body.data.id;
}

async function create(site: TestSite, members: readonly MemberDraft[]): Promise<void> {
  const ids = new Map<string, string>();
  for (const name of new Set(members.flatMap(({ groups }) => groups.map(({ name }) => name))))
    ids.set(name, await newGroup(site, name));
  for (const { groups, blocked, ...member } of members) {
    const { id } = (await site.post('/members', member)).body.data;
    for (const { name, expiresAt } of groups)
      await site.post(`/access-groups/${ids.get(name)}/members`, { memberId: id, expiresAt });
    if (blocked) await site.patch(`/members/${id}`, { status: 'blocked' });
  }
}

/** What the test wrote, by email address; IDs and times belong to the service. */
function withoutIds(csv: string): Record<string, unknown> {
  const rows: Record<string, string>[] = parse(csv, { columns: true, bom: true });
  return Object.fromEntries(
    rows.map(({ id, lastLoginAt, lastSeenAt, createdAt, email, ...values }) => [email, values]),
  );
}
