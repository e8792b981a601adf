import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { commandsWith, gatehouse, temporaryFile, temporaryFolder } from '../../../test/command-line.ts';
import { effort } from '../../../test/effort.ts';
import { gateBefore } from '../../../test/gate.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';

forEachStore((store) => {
  const server = useTestServer(store);
  const start = async () => {
    const site = await server.createSite();
    const run = commandsWith(server, site);
    const importText = (text: string | Buffer, ...options: string[]) =>
      run(['member', 'import', temporaryFile('people.csv', text), '--json', ...options]);
    return { site, run, importText };
  };

  describe('columns', () => {
    test('common headings, separators and a byte order mark are recognized', async () => {
      const files = [
        'email,displayName,paid\nada@example.com,"Love, Ada",true\n',
        '\uFEFFE-Mail;Display Name;PAID;Shoe size\r\nada@example.com;"Love, Ada";yes;38\r\n',
        'Paying\tFull_Name\te-mail address\n1\tLove, Ada\tADA@example.com\n\t\t\n',
      ];
      for (const file of files) {
        const { site, importText } = await start();
        const { exitCode, json } = await importText(file);
        expect({ exitCode, ...json }).toMatchObject({ exitCode: 0, rows: 1, created: 1, failed: 0 });
        expect(await membersOf(site)).toMatchObject([
          { email: 'ada@example.com', displayName: 'Love, Ada', paid: true, status: 'active' },
        ]);
      }
    });

    test('a file is read in the encoding that it has, or the one that is chosen', async () => {
      const text = 'Name;E-Mail\r\nJürgen Groß;ada@example.com\r\n';
      const mac = Buffer.from(text.replace('ü', '\x9f').replace('ß', '\xa7'), 'latin1');
      const files: [Buffer, string][] = [
        [Buffer.from(text), 'utf-8'],
        [Buffer.from(text, 'utf16le'), 'utf-16le'],
        [Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(), 'utf-16be'],
        [Buffer.from(text, 'latin1'), 'windows-1252'],
        [mac, 'macintosh'],
      ];
      for (const [file, encoding] of files) {
        const { site, importText } = await start();
        const { json } = await importText(file);
        const notes = encoding === 'utf-8' ? [] : [expect.stringMatching(/^The file is read as/)];
        expect(json).toMatchObject({ created: 1, encoding, warnings: notes });
        expect(await membersOf(site)).toMatchObject([{ displayName: 'Jürgen Groß' }]);
      }
      const { site, importText } = await start();
      await importText(mac, '--encoding', 'windows-1252');
      expect(await membersOf(site)).toMatchObject([{ displayName: 'JŸrgen Gro§' }]);
      const mixed = Buffer.concat([Buffer.from(text), Buffer.from('Zoë;zoe@example.com', 'latin1')]);
      expect((await importText(mixed)).json).toMatchObject({ error: { code: 'mixed_encodings' } });
      const chosen = await importText(mixed, '--encoding', 'windows-1252', '--dry-run');
      expect(chosen.json).toMatchObject({ created: 1 });
    });

    test('an unknown column is named and ignored', async () => {
      const { run } = await start();
      const file = temporaryFile('people.csv', 'email,shoes\nada@example.com,38\n');
      const { exitCode, stderr } = await run(['member', 'import', file]);
      expect(exitCode).toBe(0);
      expect(stderr).toContain('Note: Ignoring 1 column that members do not have: shoes.');
    });

    test('headings can be mapped', async () => {
      const { site, importText } = await start();
      const text = 'Kontakt,Wer,email\nada@example.com,Ada,old@example.com\n';
      const { exitCode } = await importText(text, '--map', 'email=Kontakt,displayName=Wer');
      expect(exitCode).toBe(0);
      expect(await membersOf(site)).toMatchObject([{ email: 'ada@example.com', displayName: 'Ada' }]);
    });

    test('no character of a list controls the terminal, also not in errors', async () => {
      const { run } = await start();
      const red = '\x1b[31m';
      const lists = [
        `Na${red}me,Phone\nAda,1\n`,
        `email,groups\nada@example.com,Ch${red}oir\n`,
        `email,na${red}me,Status\nada@${red},Ada,act${red}ive\nbob@example.com,,ok${red}\n`,
      ];
      for (const list of lists) {
        const { stdout, stderr } = await run(['member', 'import', temporaryFile('people.csv', list)]);
        expect(`${stdout}${stderr}`).not.toContain('\x1b');
        expect(stderr).toMatch(/Na|Ch|act/);
      }
    });

    test('a file that is not a list of members is rejected, and nothing is changed', async () => {
      const { site, importText } = await start();
      const apiErrors: [string | Buffer, string[], string][] = [
        ['Name,Phone\nAda,1\n', [], 'no_email_column'],
        ['e mail,e-mail\na@example.com,b@example.com\n', ['--map', 'email=E_Mail'], 'ambiguous_column'],
        ['email\nada@example.com\n', ['--group-column', 'Wer'], 'no_such_column'],
        ['email\nada@example.com\n', ['--map', 'displayName=Wer'], 'no_such_column'],
        ['Ada,Ada <ada@example.com>\nBob,bob@example.com\n', [], 'no_headings'],
        ['', [], 'empty_file'],
        ['email,name\nada@example.com,"Ada\n', [], 'invalid_csv'],
        ['email,name\nada@example.com,"Ada"x\n', [], 'invalid_csv'],
        [Buffer.from('PK\x03\x04\x14\0\x06\0[Content_Types].xml', 'latin1'), [], 'not_a_text'],
        [Buffer.from('email,name\nada@example.com,Zoë\0\n', 'latin1'), [], 'not_a_text'],
        [
          Buffer.from('email,name\na@example.com,Zo\xc3\xab\nb@example.com,Zo\xeb\n', 'latin1'),
          [],
          'mixed_encodings',
        ],
      ];
      for (const [text, options, code] of apiErrors) {
        const { exitCode, json } = await importText(text, ...options);
        expect({ exitCode, code: json.error.code }).toEqual({ exitCode: 1, code });
      }
      expect(await importText('email\nada@example.com\n', '--groups', 'x'.repeat(101))).toMatchObject({
        exitCode: 1,
      });
      const manyColumns = `${'x'.repeat(50_000)},${'Phone,'.repeat(900)}`;
      expect((await importText(`${manyColumns}\n1\n`)).json.error.message.length).toBeLessThan(1_000);
      const headings = (await importText('Name,Phone\nAda,1\n')).json.error.message;
      expect(headings).toContain('"Name", "Phone"');
      expect(await importText('email\n', '--map', 'nonsense')).toMatchObject({ exitCode: 2 });
      expect(await membersOf(site)).toEqual([]);
    });
  });

  describe('rows', () => {
    test('each row fails on its own with a reason, and can be corrected and imported again', async () => {
      const { site, run } = await start();
      await site.post('/members', { email: 'taken@example.com', displayName: 'Somebody else' });
      const text = [
        'E-Mail;Name;paid;note',
        'good@example.com;Good;yes;a',
        'no address;Bad;yes;b',
        'maybe@example.com;Maybe;perhaps;c',
        `long@example.com;${'x'.repeat(201)};no;d`,
        `longer@example.com;${'x'.repeat(2_000)};no;d`,
        'taken@example.com;Taken;no;"e;""f"""',
        'wide@example.com;Wide;no;g;h',
      ].join('\n');
      const folder = temporaryFolder();
      writeFileSync(path.join(folder, 'people.csv'), text);
      const command = ['member', 'import', 'people.csv', '--failed', 'failed.csv', '--json'];
      const { exitCode, json } = await run(command, { cwd: folder });
      expect(exitCode).toBe(1);
      expect(json).toMatchObject({
        rows: 7,
        created: 1,
        conflicts: 1,
        invalid: 5,
        failed: 6,
        failedFile: 'failed.csv',
      });
      expect(json.failures).toContainEqual(
        expect.objectContaining({ line: 4, email: 'maybe@example.com', code: 'invalid_paid' }),
      );

      const failed = readFileSync(path.join(folder, 'failed.csv'), 'utf8');
      const rows: string[][] = parse(failed, { delimiter: ';', relax_column_count: true });
      const failureColumns = ['error_line', 'error_code', 'error_message'];
      expect(rows[0]).toEqual(['E-Mail', 'Name', 'paid', 'note', ...failureColumns]);
      expect(rows.slice(1).map((row) => [row[0], row[5]])).toEqual([
        ['no address', 'invalid_email'],
        ['maybe@example.com', 'invalid_paid'],
        ['long@example.com', 'invalid_display_name'],
        ['longer@example.com', 'invalid_display_name'],
        ['taken@example.com', 'email_taken'],
        ['wide@example.com', 'invalid_row'],
      ]);
      expect(rows.find(([email]) => email === 'taken@example.com')?.[3]).toBe('e;"f"');

      const corrected = failed
        .replace('no address', 'better@example.com')
        .replace('perhaps', '0')
        .replaceAll(/x{201,}/g, 'Short')
        .replace('Taken', '')
        .replace(/(Wide;no;g;[^\n]*);h/, '$1');
      writeFileSync(
        path.join(folder, 'failed.csv'),
        corrected.replace('taken@example.com;;no', 'taken@example.com;;'),
      );
      const again = await run(['member', 'import', 'failed.csv', '--json'], { cwd: folder });
      expect(again.exitCode).toBe(0);
      expect(again.json).toMatchObject({
        created: 5,
        unchanged: 1,
        failed: 0,
        warnings: [expect.stringContaining('note')],
      });
    });

    test('the values of paid are recognized in the languages of the dashboard', async () => {
      const { site, importText } = await start();
      const words = ['ja', 'oui', 'sí', 'はい', 'nein', 'non', '無料', ''];
      const rows = words.map((word, index) => `p${index}@example.com,${word}`);
      expect((await importText(['email,paid', ...rows].join('\n'))).json).toMatchObject({ created: 8 });
      const paying = (await site.get('/members?paid=true')).body.data;
      expect(paying.map(({ email }: { email: string }) => email).sort()).toEqual(
        [0, 1, 2, 3].map((index) => `p${index}@example.com`),
      );
    });

    test('a file of failed rows never overwrites another file', async () => {
      const { run } = await start();
      const folder = temporaryFolder();
      writeFileSync(path.join(folder, 'people.csv'), 'email\nno address\n');
      writeFileSync(path.join(folder, 'diary.csv'), 'day,thought\n1,hm\n');
      const withFailed = (file: string) =>
        run(['member', 'import', 'people.csv', '--failed', file], { cwd: folder });
      expect(await withFailed('people.csv')).toMatchObject({ exitCode: 2 });
      expect(await withFailed('diary.csv')).toMatchObject({ exitCode: 1 });
      expect(readFileSync(path.join(folder, 'diary.csv'), 'utf8')).toBe('day,thought\n1,hm\n');
      await withFailed('failed.csv');
      writeFileSync(path.join(folder, 'people.csv'), 'email\nada@example.com\n');
      expect(await withFailed('failed.csv')).toMatchObject({ exitCode: 0 });
      expect(existsSync(path.join(folder, 'failed.csv'))).toBe(false);
    });

    test('members with the status blocked are blocked', async () => {
      const { site, importText } = await start();
      await importText('email,status\nada@example.com,blocked\nbob@example.com,active\ncy@example.com,\n');
      const found = (await membersOf(site)).map(({ email, status }) => [email, status]);
      expect(Object.fromEntries(found)).toEqual({
        'ada@example.com': 'blocked',
        'bob@example.com': 'active',
        'cy@example.com': 'active',
      });
    });

    test('an existing member is unchanged, in conflict, or added to groups, but its data never changes', async () => {
      const { site, importText } = await start();
      await site.post('/members', { email: 'ada@example.com', displayName: 'Ada', paid: true });
      const before = await membersOf(site);
      const kind = async (row: string, ...options: string[]) => {
        const { json } = await importText(`email,displayName,paid,status\n${row}\n`, ...options);
        return ['created', 'unchanged', 'groupsChanged', 'conflicts', 'invalid'].filter(
          (name) => json[name] === 1,
        );
      };
      expect(await kind('ADA@example.com, Ada ,yes,active')).toEqual(['unchanged']);
      expect(await kind('ada@example.com,,,')).toEqual(['unchanged']);
      expect(await kind('ada@example.com,Ada K,,')).toEqual(['conflicts']);
      expect(await kind('ada@example.com,,no,')).toEqual(['conflicts']);
      expect(await kind('ada@example.com,,,blocked')).toEqual(['conflicts']);
      expect(await kind('ada@example.com,,,', '--groups', 'Choir', '--create-groups')).toEqual([
        'groupsChanged',
      ]);
      expect(await kind('ada@example.com,,,', '--groups', 'Choir')).toEqual(['unchanged']);
      expect(await membersOf(site)).toEqual(before);
    });

    test('rows of one person without a name do not hide that later ones have different names', async () => {
      const { site, importText } = await start();
      const rows = ['ada@example.com,', 'ada@example.com,Ada', 'ada@example.com,Bob', 'ada@example.com,Ada'];
      const { json } = await importText(['email,name', ...rows].join('\n'));
      expect(json).toMatchObject({ created: 1, merged: 2, invalid: 1 });
      expect(json.failures).toMatchObject([{ line: 4, code: 'other_name' }]);
      expect(json.failures[0].message).toMatch(/^Row 3 of this file .*"Ada"/);
      expect(await membersOf(site)).toMatchObject([{ displayName: 'Ada' }]);
    });

    test('rows of one person are one member with all the groups, and another name is listed', async () => {
      const { site, importText, run } = await start();
      const text = [
        'email,name,groups',
        'ada@example.com,Ada,Choir',
        'Ada@Example.com,Ada,Band',
        'ada@example.com,Other,Solo',
      ].join('\n');
      for (const options of [['--dry-run'], []]) {
        const { json } = await importText(text, '--create-groups', ...options);
        expect(json).toMatchObject({ created: 1, merged: 1, unchanged: 0, conflicts: 0, invalid: 1 });
        expect(json.failures).toMatchObject([{ line: 4, email: 'ada@example.com', code: 'other_name' }]);
        expect(json.failures[0].message).toMatch(/^Row 2 of this file has the same .*"Ada"/);
      }
      expect(await groupsOf(site)).toEqual({ 'ada@example.com': ['Band', 'Choir'] });
      const { stdout } = await run(['member', 'import', temporaryFile('people.csv', text)]);
      expect(stdout).toContain('1 unchanged, 0 with group changes, 1 part of an earlier row');
    });
  });

  test('of rows with the same address the first in the file counts, and failures are in file order', async () => {
    const { site, run } = await start();
    // Rows with the same groups are sent together: those of the large groups are sent long before those of the small
    // ones.
    const few = ['Choir', 'Band', 'Choir;Band', 'Band;Choir;Solo'];
    const rows = Array.from({ length: 1_400 }, (_, n) => {
      if (n % 300 === 50) return `no address ${n},Nobody,,`;
      if (n % 300 === 60) return `maybe-${n}@example.com,Maybe,perhaps,`;
      // The first of each is in a small group, later ones are in the large group or in another small one.
      if (n % 7 === 3) {
        const later = n % 2 ? '' : few[3];
        return `Twin-${n % 30}@example.com,Twin ${n},,${n < 30 ? few[n % 4] : later}`;
      }
      return `p${n}@example.com,Person ${n},,`;
    });
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'people.csv'), ['email,name,paid,groups', ...rows].join('\n'));
    const seen = new Set<string>();
    const twins = rows.map((row) => row.split(',')[0]!);
    const failing = twins.flatMap((address, n) => {
      const isFirst = !seen.has(address);
      seen.add(address);
      return isFirst && !/^(no|maybe)/.test(address) ? [] : [n + 2];
    });
    const command = ['member', 'import', 'people.csv', '--create-groups', '--failed', 'failed.csv', '--json'];
    for (const options of [['--dry-run'], []]) {
      const { json } = await run([...command, ...options], { cwd: folder });
      expect(json.failures.map(({ line }: { line: number }) => line)).toEqual(failing.slice(0, 10));
      expect(json).toMatchObject({ rows: rows.length, failed: failing.length });
      const failed: string[][] = parse(readFileSync(path.join(folder, 'failed.csv')));
      expect(failed[0]).toEqual([
        'email',
        'name',
        'paid',
        'groups',
        'error_line',
        'error_code',
        'error_message',
      ]);
      expect(failed.slice(1).map((row) => Number(row[4]))).toEqual(failing);
      expect(failed.slice(1).map((row) => row[0])).toEqual(failing.map((line) => twins[line - 2]));
    }
    const names = new Map((await membersOf(site)).map((member) => [member.email, member]));
    for (const [n, address] of twins.entries()) {
      if (n < 30 && address.startsWith('Twin'))
        expect(names.get(address.toLowerCase())).toMatchObject({ displayName: `Twin ${n}` });
    }
  });

  describe('groups', () => {
    const text = [
      'email,groups',
      'ada@example.com,Choir;Course 2026',
      'bob@example.com,',
      String.raw`cy@example.com,"A\;B; Choir ;A\\C"`,
    ].join('\n');

    test('missing groups are named, or created with --create-groups', async () => {
      const { site, importText } = await start();
      const rejected = await importText(text);
      expect(rejected).toMatchObject({ exitCode: 1, json: { error: { code: 'access_group_not_found' } } });
      expect(rejected.json.error.message).toContain('"Choir"');
      expect(await membersOf(site)).toEqual([]);

      const { json } = await importText(text, '--create-groups', '--groups', 'Everybody');
      expect(json).toMatchObject({
        created: 3,
        createdGroups: ['A;B', 'A\\C', 'Choir', 'Course 2026', 'Everybody'],
      });
      expect(await groupsOf(site)).toEqual({
        'ada@example.com': ['Choir', 'Course 2026', 'Everybody'],
        'bob@example.com': ['Everybody'],
        'cy@example.com': ['A;B', 'A\\C', 'Choir', 'Everybody'],
      });
    });

    test('memberships get the ends of the list, also those of existing members', async () => {
      const { site, importText } = await start();
      const end = (day: number) => `2090-01-0${day}T00:00:00.000Z`;
      const first = [
        'email,groups,groupsEndAt',
        `ada@example.com,Choir;Band,;${end(1)}`,
        `bob@example.com,Choir;Band,${end(2)}`,
        'cy@example.com,Choir,2090-01-02',
        'dan@example.com,Choir,2020-01-01',
      ].join('\n');
      const { json } = await importText(first, '--create-groups');
      expect(json).toMatchObject({
        created: 4,
        failed: 0,
        warnings: ['In 1 row a membership has already ended. It is not created.'],
      });
      expect(await endsOf(site)).toEqual({
        'ada@example.com': { Choir: null, Band: end(1) },
        'bob@example.com': { Choir: end(2), Band: end(2) },
        'cy@example.com': { Choir: end(3) },
        'dan@example.com': {},
      });
      expect((await importText(first)).json).toMatchObject({ unchanged: 4, groupsChanged: 0 });

      // An end that the list does not give stays unchanged.
      const second = [
        'email,groups,groupsEndAt',
        `ada@example.com,Choir;Band,${end(4)};`,
        'bob@example.com,Choir,',
        `cy@example.com,Choir;Band,${end(3)};${end(5)}`,
      ].join('\n');
      for (const options of [['--dry-run'], []]) {
        const { json } = await importText(second, ...options);
        expect(json).toMatchObject({ unchanged: 1, groupsChanged: 2, failed: 0 });
      }
      expect(await endsOf(site)).toMatchObject({
        'ada@example.com': { Choir: end(4), Band: end(1) },
        'bob@example.com': { Choir: end(2), Band: end(2) },
        'cy@example.com': { Choir: end(3), Band: end(5) },
      });
      const added = (await site.get('/events?type=access-group.member.updated')).body.data;
      expect(added).toHaveLength(1);
    });

    test.each([
      ['Europe/Berlin', '2090-03-26T22:00:00.000Z', '2010-01-01T23:00:00.000Z'],
      ['America/New_York', '2090-03-27T04:00:00.000Z', '2010-01-02T05:00:00.000Z'],
      ['Pacific/Auckland', '2090-03-26T11:00:00.000Z', '2010-01-01T11:00:00.000Z'],
    ])('days are those of the time zone of the site: %s', async (timeZone, end, registered) => {
      const { site, run, importText } = await start();
      await site.patch('/site', { timeZone });
      const list = (email: string) =>
        `email,groups,groupsEndAt,registeredAt\n${email},Choir,2090-03-26,2010-01-02\n`;
      const { json } = await importText(list('ada@example.com'), '--create-groups');
      expect(json).toMatchObject({ created: 1, warnings: [] });
      // Without the permission to read the site, days are those of UTC, and this is said.
      const permissions = [
        'members:read',
        'members:write',
        'access-groups:read',
        'access-groups:write',
      ] as const;
      const { secret } = await site.createKey({ permissions });
      const file = temporaryFile('people.csv', list('bob@example.com'));
      const other = await run(['member', 'import', file, '--json'], { env: { GATEHOUSE_KEY: secret } });
      expect(other.json).toMatchObject({
        created: 1,
        warnings: [expect.stringContaining('(permission site:read)')],
      });
      expect(await endsOf(site)).toEqual({
        'ada@example.com': { Choir: end },
        'bob@example.com': { Choir: '2090-03-27T00:00:00.000Z' },
      });
      const times = (await membersOf(site)).map(({ registeredAt }) => registeredAt);
      expect(times.sort()).toEqual([registered, '2010-01-02T00:00:00.000Z'].sort());
    });

    test('only rows whose ends do not fit their groups fail', async () => {
      const { importText } = await start();
      const rows = ['ada@example.com,Choir;Band;Solo,2090-01-01;2090-01-01', 'bob@example.com,Choir,soon'];
      const { json } = await importText(['email,groups,groupsEndAt', ...rows].join('\n'), '--create-groups');
      expect(json.failures.map(({ code }: { code: string }) => code)).toEqual([
        'invalid_group_ends',
        'invalid_group_ends',
      ]);
    });

    test('no member is added to a scope group', async () => {
      const { site, importText } = await start();
      const slug = (await site.get('/site')).body.data.slug;
      const scope = temporaryFile('team.csv', 'email\nada@example.com\n');
      await gatehouse(['scope', 'sync', '--site', slug, '--collection', 'Team', scope], {
        env: { GATEHOUSE_DATABASE_URL: server.databaseUrl },
      });
      const { exitCode, json } = await importText(
        'email,groups\nada@example.com,Team\nbob@example.com,Team\n',
      );
      expect(exitCode).toBe(0);
      expect(json).toMatchObject({ created: 1, unchanged: 1, warnings: [expect.stringContaining('Team')] });
      expect(await groupsOf(site)).toEqual({ 'ada@example.com': ['Team'], 'bob@example.com': [] });
    });
  });

  test('new members get the registration time of the list, and existing members keep theirs', async () => {
    const { site, importText } = await start();
    const { registeredAt } = (await site.post('/members', { email: 'old@example.com' })).body.data;
    const text = [
      'email,joined',
      'ada@example.com,2024-05-01',
      'bob@example.com,2024-05-01T12:00:00+02:00',
      'cy@example.com,2999-01-01',
      'old@example.com,2001-01-01',
    ].join('\n');
    const { json } = await importText(text);
    expect(json).toMatchObject({ created: 2, unchanged: 1, invalid: 1 });
    expect(json.failures).toMatchObject([{ line: 4, code: 'future_registered_at' }]);
    const found = (await site.get('/members?sort=email&order=asc')).body.data;
    expect(found.map((member: { registeredAt: string }) => member.registeredAt)).toEqual([
      '2024-05-01T00:00:00.000Z',
      '2024-05-01T10:00:00.000Z',
      registeredAt,
    ]);
  });

  test('a dry run shows what would happen, and changes nothing', async () => {
    const { site, importText } = await start();
    await site.post('/members', { email: 'ada@example.com', displayName: 'Ada' });
    const text = [
      'email,name,groups',
      'ada@example.com,Ada,',
      'ada@example.com,Other,',
      'bob@example.com,Bob,Choir',
      'no address,X,',
    ].join('\n');
    const events = (await site.get('/events')).body.data.length;
    const counts = { created: 1, unchanged: 1, groupsChanged: 0, conflicts: 0, invalid: 2 };
    const predicted = await importText(text, '--dry-run', '--create-groups');
    expect(predicted).toMatchObject({
      exitCode: 1,
      json: { dryRun: true, ...counts, createdGroups: ['Choir'] },
    });
    expect((await site.get('/events')).body.data).toHaveLength(events);
    const { json } = await importText(text, '--create-groups');
    expect(json).toMatchObject({ dryRun: false, ...counts });
    expect(json.failures).toEqual(predicted.json.failures);
  });

  test('the summary is one sentence, which says what happened or would happen', async () => {
    const { run } = await start();
    const file = temporaryFile('people.csv', 'email,groups\nada@example.com,Choir\n');
    const command = ['member', 'import', file, '--create-groups'];
    const rest = '0 in conflict, 0 invalid.\n';
    expect((await run([...command, '--dry-run'])).stdout).toContain(
      `1 row: 1 would be created, 0 unchanged, 0 with group changes, ${rest}`,
    );
    expect((await run(command)).stdout).toContain(
      `1 row: 1 created, 0 unchanged, 0 with group changes, ${rest}`,
    );
  });

  describe('long files', () => {
    const rowCount = effort.importedRows;
    const failing = rowCount / 100 + 1;
    const text = [
      'email,name,groups',
      ...Array.from({ length: rowCount }, (_, n) => {
        const email = n % 100 === 7 || n === rowCount / 2 ? `broken ${n}` : `p${n}@example.com`;
        return `${email},Person ${n},${['Odd', 'Even;Odd', ''][n % 3]}`;
      }),
    ].join('\n');
    const command = (file: string, ...options: string[]) => ['member', 'import', file, '--json', ...options];

    test('all rows are imported, the failed ones are written to a file, and a repeat duplicates nothing', async () => {
      const { site, run } = await start();
      const folder = temporaryFolder();
      writeFileSync(path.join(folder, 'people.csv'), text);
      const options = ['--create-groups', '--failed', 'failed.csv'];
      const first = await run(command('people.csv', ...options), { cwd: folder });
      expect(first.json).toMatchObject({
        rows: rowCount,
        created: rowCount - failing,
        invalid: failing,
        conflicts: 0,
      });
      const failed: string[][] = parse(readFileSync(path.join(folder, 'failed.csv')));
      expect(failed).toHaveLength(failing + 1);
      const members = await membersOf(site);
      const events = await lastEvent(site);
      expect(members).toHaveLength(rowCount - failing);

      const second = await run(command('people.csv', ...options), { cwd: folder });
      expect(second.json).toMatchObject({
        created: 0,
        unchanged: rowCount - failing,
        groupsChanged: 0,
        invalid: failing,
      });
      expect(await membersOf(site)).toEqual(members);
      expect(await lastEvent(site)).toEqual(events);
      expect(readdirSync(folder).sort()).toEqual(['failed.csv', 'people.csv']);
    });

    test('after Ctrl-C the same command continues where it stopped', async () => {
      const { site } = await start();
      const folder = temporaryFolder();
      let bulks = 0;
      let interrupt = () => {};
      writeFileSync(path.join(folder, 'people.csv'), Buffer.from(text, 'utf16le'));
      const gate = await gateBefore(server.address, ({ url }) => {
        if (url?.endsWith('/members/bulk')) bulks += 1;
        if (bulks === 3) interrupt();
        return true;
      });
      const run = commandsWith(gate, site);
      const options = ['--create-groups', '--failed', 'failed.csv', '--result', 'result.csv'];
      const stopped = await run(command('people.csv', ...options), {
        cwd: folder,
        whileRunning: (child) => {
          interrupt = () => {
            interrupt = () => {};
            child.kill('SIGINT');
          };
        },
      });
      expect(stopped).toMatchObject({ exitCode: 1, stdout: '', json: { error: { code: 'interrupted' } } });
      expect(stopped.json.error.message).toContain('Run the same command again to continue');
      expect(existsSync(path.join(folder, 'people.csv.gatehouse-progress'))).toBe(true);
      const soFar = (await membersOf(site)).length;
      expect(soFar).toBeGreaterThan(0);
      expect(soFar).toBeLessThan(rowCount - failing);

      // A dry run would overwrite the rows that are written so far.
      const dry = await run(command('people.csv', ...options, '--dry-run'), { cwd: folder });
      expect(dry.json).toMatchObject({ error: { code: 'import_unfinished' } });

      const second = await run(command('people.csv', ...options), { cwd: folder });
      expect(second.json).toMatchObject({
        rows: rowCount,
        created: rowCount - failing,
        unchanged: 0,
        invalid: failing,
        createdGroups: ['Even', 'Odd'],
      });
      const results: Record<string, string>[] = parse(readFileSync(path.join(folder, 'result.csv')), {
        columns: true,
        bom: true,
      });
      expect(results.map(({ row }) => Number(row))).toEqual(
        Array.from({ length: rowCount }, (_, n) => n + 2),
      );
      const created = results.filter(({ result }) => result === 'created');
      expect(created).toHaveLength(rowCount - failing);
      const isNew = `/members?createdByRequest=${second.json.requestId}&limit=100`;
      expect((await site.get(isNew)).body.data).toHaveLength(Math.min(100, rowCount - failing));
      const lines = text.split('\n').flatMap((row, n) => (row.startsWith('broken') ? [n + 1] : []));
      expect(second.json.failures.map(({ line }: { line: number }) => line)).toEqual(lines.slice(0, 10));
      // Batches have 500 rows; none was sent twice.
      expect(bulks).toBe(rowCount / 500);
      expect(await membersOf(site)).toHaveLength(rowCount - failing);
      const failed: string[][] = parse(readFileSync(path.join(folder, 'failed.csv')), { bom: true });
      expect(failed.slice(1).map((row) => Number(row[3]))).toEqual(lines);
      expect(readdirSync(folder).sort()).toEqual(['failed.csv', 'people.csv', 'result.csv']);
    });

    test('after a crash that lost a response the rows still count as created', async () => {
      const { site } = await start();
      const folder = temporaryFolder();
      writeFileSync(path.join(folder, 'people.csv'), 'email\nada@example.com\nbob@example.com\n');
      let kill = () => {};
      let answered = false;
      const gate = await gateBefore(server.address, async (incoming, response) => {
        if (answered || !incoming.url?.endsWith('/members/bulk')) return true;
        answered = true;
        const chunks: Buffer[] = [];
        for await (const chunk of incoming) chunks.push(chunk as Buffer);
        const headers = incoming.headers as Record<string, string>;
        await fetch(server.address + incoming.url, { method: 'POST', headers, body: Buffer.concat(chunks) });
        kill();
        response.destroy();
        return false;
      });
      const run = commandsWith(gate, site);
      const killed = await run(command('people.csv'), {
        cwd: folder,
        whileRunning: (child) => {
          kill = () => void child.kill('SIGKILL');
        },
      });
      expect(killed.exitCode).toBeNull();
      expect(await membersOf(site)).toHaveLength(2);
      const again = await run(command('people.csv'), { cwd: folder });
      expect(again.json).toMatchObject({ created: 2, unchanged: 0, conflicts: 0 });
      expect(await membersOf(site)).toHaveLength(2);
    });
  });

  test('an import waits when the service is rate-limited', async () => {
    const { site } = await start();
    let rejected = 0;
    const gate = await gateBefore(server.address, (_, response) => {
      if (rejected === 2) return true;
      rejected += 1;
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' });
      response.end('{"error":{"code":"rate_limited","message":"Wait.","requestId":"x"}}');
      return false;
    });
    const file = temporaryFile('people.csv', 'email\nada@example.com\n');
    const { exitCode } = await commandsWith(gate, site)(['member', 'import', file, '--json']);
    expect({ exitCode, rejected }).toEqual({ exitCode: 0, rejected: 2 });
    expect(await membersOf(site)).toHaveLength(1);
  });
});

test('without a key or a permission the error says what to do', async () => {
  const file = temporaryFile('people.csv', 'email\nada@example.com\n');
  const without = await gatehouse(['member', 'import', file, '--json']);
  expect(without).toMatchObject({ exitCode: 2, json: { error: { code: 'wrong_usage' } } });
  const nowhere = { env: { GATEHOUSE_KEY: 'gate_x', GATEHOUSE_URL: 'no address' } };
  expect(await gatehouse(['member', 'list'], nowhere)).toMatchObject({ exitCode: 2 });
});

async function membersOf(site: TestSite) {
  const members: { id: string; email: string; status: string; registeredAt: string }[] = [];
  for (let after = ''; ; ) {
    const { data, pagination } = (await site.get(`/members?limit=100${after}`)).body;
    members.push(...data);
    if (!pagination.hasMore) return members;
    after = `&after=${pagination.nextCursor}`;
  }
}

async function groupsOf(site: TestSite): Promise<Record<string, string[]>> {
  const entries = (await membersOf(site)).map(async ({ id, email }) => {
    const { accessGroups } = (await site.get(`/members/${id}`)).body.data;
    return [email, accessGroups.map(({ name }: { name: string }) => name)];
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function lastEvent(site: TestSite): Promise<string> {
  let last = '';
  for (let after = ''; ; ) {
    const { data, pagination } = (await site.get(`/events?limit=100${after}`)).body;
    last = data.at(-1)?.id ?? last;
    if (!pagination.hasMore) return last;
    after = `&after=${pagination.nextCursor}`;
  }
}

/** The ends of the memberships of each member, by group name. */
async function endsOf(site: TestSite): Promise<Record<string, Record<string, string | null>>> {
  const emails = (await membersOf(site)).map(({ email }) => email);
  const { data } = (await site.post('/members/lookup', { emails })).body;
  type Found = { email: string; accessGroups: { name: string; expiresAt: string | null }[] };
  return Object.fromEntries(
    data.map(({ email, accessGroups }: Found) => [
      email,
      Object.fromEntries(accessGroups.map(({ name, expiresAt }) => [name, expiresAt])),
    ]),
  );
}
