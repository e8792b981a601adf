import { expect, onTestFinished, test } from 'vitest';
import { commandsOn, commandsWith, temporaryFile } from '../../../test/command-line.ts';
import { gateBefore } from '../../../test/gate.ts';
import { type ListServer, startListServer } from '../../../test/list-server.ts';
import { secretKey } from '../../../test/secret-key.ts';
import { scopeGroups } from '../../../test/source-steps.ts';
import { forEachStore } from '../../../test/stores.ts';
import { useTestServer } from '../../../test/use-server.ts';

const people = (count: number) =>
  `Name,Email\n${Array.from({ length: count }, (_, n) => `P${n},p${n}@example.com\n`).join('')}`;

forEachStore((store) => {
  const server = useTestServer(store);

  const start = async () => {
    const site = await server.createSite();
    const run = commandsWith(server, site);
    const source = (...args: string[]) => run(['source', ...args]);
    /** Returns the result of a command that must succeed. */
    const done = async (...args: string[]) => {
      const { exitCode, json, stderr } = await run(['source', ...args, '--json']);
      expect(exitCode, stderr).toBe(0);
      return json;
    };
    const failed = async (...args: string[]) => {
      const { exitCode, json } = await run(['source', ...args, '--json']);
      return [exitCode, json.error.code, json.error.message];
    };
    return { site, run, source, done, failed };
  };

  /** A site with a source of the type `list` with the name "Club members". */
  const startList = async (body = 'Vorname;E-Mail\nAda;ada@example.com\nBob;bob@example.com\n') => {
    const started = await start();
    const list = await aList(body);
    const { id } = await started.done('create', 'Club members', '--type', 'list', '--address', list.address);
    return { ...started, list, id };
  };

  async function aList(body: string): Promise<ListServer> {
    const list = await startListServer(body);
    onTestFinished(() => list.stop());
    return list;
  }

  test('a list at an address becomes a group, from its creation to its deletion', async () => {
    const { site, source, list, done } = await startList();
    expect((await source('collections', 'Club members')).stdout).toMatch(/Club members +no +list/);
    const { stdout: preview } = await source('preview', 'club members');
    expect(preview).toMatch(/E-Mail +email +email/);
    expect(preview).toMatch(/Ada +ada@example\.com/);
    expect(preview).toContain("./gatehouse sources collections choose 'Club members' list");
    const { stdout: choice } = await source('choose', 'Club members');
    expect(choice).toContain('email: E-Mail\n  name: Vorname\n');
    expect(choice).toContain("sources update 'Club members' --enabled");

    const dryRun = await source('sync', 'Club members', '--dry-run');
    expect(dryRun).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Nothing was changed') });
    expect(dryRun.stdout).toContain('\n  + ada@example.com\n  + bob@example.com');
    expect(await scopeGroups(site)).toEqual({});

    const first = await source('sync', 'Club members');
    expect(first).toMatchObject({ exitCode: 0, stderr: '' });
    expect(first.stdout).toMatch(
      /^"Club members" is synchronized\.\nCOLLECTION .+\nClub members +2 +2 +2 +0/,
    );
    expect(await scopeGroups(site)).toEqual({ 'Club members': ['ada', 'bob'] });
    list.body = 'Vorname;E-Mail\nAda;ada@example.com\n';
    expect((await done('sync', 'Club members')).counts).toMatchObject({ removed: 1 });
    expect((await done('runs', 'Club members')).map(({ dryRun }: { dryRun: boolean }) => dryRun)).toEqual([
      false,
      false,
      true,
    ]);
    expect((await source('runs', 'Club members', '--limit', '1')).stdout).toMatch(
      /succeeded +request .* 1 read, 1 removed/,
    );

    expect((await source('delete', 'Club members')).stdout).toContain('custom groups');
    expect((await source('list')).stderr).toContain('no sources yet');
    expect((await site.get('/access-groups')).body.data).toMatchObject([{ type: 'custom', memberCount: 1 }]);
  });

  test('people who cannot be read are listed with the reason', async () => {
    const { source, done } = await startList('E-Mail;Name\nada@example.com;Ada\nno address;Bob\n');
    await done('choose', 'Club members');
    const { exitCode, stdout } = await source('sync', 'Club members');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('skipped row 3: not an email address ("no address")');
  });

  test('with a key that must not read members, nobody is named', async () => {
    const { site, source, done } = await startList('E-Mail;Name\nada@example.com;Ada\nno address;Bob\n');
    await done('choose', 'Club members');
    const { secret } = await site.createKey({ permissions: ['sources:read', 'sources:write'] });
    const { exitCode, stdout } = await source('sync', 'Club members', '--dry-run', '--key', secret);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('A key with the permission members:read also shows who they are.');
    expect(stdout).not.toMatch(/ada@|no address|more/);
    expect((await source('sync', 'Club members')).stdout).not.toContain('members:read');
  });

  test('many removals stop until they are confirmed, and the command says how', async () => {
    const { site, source, done, list } = await startList(people(30));
    await done('choose', 'Club members');
    await done('sync', 'Club members');
    list.body = people(8);
    const confirm = "./gatehouse sources sync 'Club members' --wait --confirm-removals";
    for (const options of [['--dry-run'], []]) {
      const { exitCode, stdout, stderr } = await source('sync', 'Club members', ...options);
      expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
      expect(stdout).toContain('22 people would leave');
      expect(stdout).toContain('  - p29@example.com');
      expect(stdout).toContain('  - … and 2 more');
      expect(stdout).toContain(confirm);
    }
    expect((await scopeGroups(site))['Club members']).toHaveLength(30);
    expect((await done('sync', 'Club members', '--confirm')).counts).toMatchObject({ removed: 22 });
  });

  test('a synchronization that fails says why and what to do', async () => {
    const { source, done, list, run } = await startList();
    await done('choose', 'Club members');
    list.status = 403;
    const failed = await source('sync', 'Club members');
    expect(failed.exitCode).toBe(1);
    expect(failed.stdout).toContain('failed');
    expect(failed.stdout).toContain('Publish it, or correct the URL.');
    list.status = 200;
    list.body = 'Name\nAda\n';
    const missing = await run(['source', 'sync', 'Club members', '--json']);
    expect(missing).toMatchObject({ exitCode: 1, json: { status: 'failed' } });
    expect((await source('runs', 'Club members')).stdout).toContain('columns_missing');
  });

  test('Ctrl-C ends only the waiting', async () => {
    const { done, list, run } = await startList();
    await done('choose', 'Club members');
    let release = () => {};
    const stopped = await run(['source', 'sync', 'Club members', '--json'], {
      whileRunning: (child) => {
        list.respond = (response) => {
          release = () => void response.end(list.body);
          child.kill('SIGINT');
        };
      },
    });
    expect(stopped).toMatchObject({ exitCode: 1, json: { error: { code: 'interrupted' } } });
    release();
    const lastState = async () => (await done('runs', 'Club members'))[0].status;
    await expect.poll(lastState, { timeout: 20_000 }).toBe('succeeded');
  });

  test('columns are named by their headings, and those that are not named stay as chosen', async () => {
    const { done, failed } = await startList('Who,Contact,Status,Teams\nAda,ada@example.com,Patron,Rowing\n');
    const columnsOf = async (...args: string[]) =>
      (await done('choose', 'Club members', ...args)).collections[0].columns;
    const first = await columnsOf(
      '--name',
      'who',
      '--paid',
      'Status',
      '--paid-value',
      'Patron',
      '--groups',
      'Teams',
    );
    const chosen = {
      email: 'Contact',
      displayName: 'Who',
      paid: 'Status',
      paidValues: ['Patron'],
      groups: 'Teams',
    };
    expect(first).toMatchObject(chosen);
    expect(await columnsOf('list', '--no-groups')).toMatchObject({ ...chosen, groups: null });
    const unpaid = await columnsOf('--no-paid');
    expect(unpaid).toMatchObject({ displayName: 'Who', paid: null });
    expect(unpaid).not.toHaveProperty('paidValues');

    expect(await failed('choose', 'Club members', '--groups', 'Team')).toEqual([
      1,
      'no_such_column',
      'There is no column "Team" among "Who", "Contact", "Status", "Teams". Correct --groups.',
    ]);
    expect((await failed('choose', 'Club members', '--paid-value', 'x'))[1]).toBe('wrong_usage');
    expect((await failed('choose', 'Club members', 'Others'))[1]).toBe('collection_not_found');
  });

  test('the options say how a list is read, and what they do not answer is named', async () => {
    const { site, source, done } = await startList(
      'Mail,Given,Family,State,Until,Teams,Tags,Board\n' +
        'ada@example.com,Ada,King,active,03/04/2099,"Rowing, Sailing",VIP,x\n' +
        'bob@example.com,Bob,Lee,former,,Rowing,,\n' +
        'cy@example.com,Cy,Roe,paused,,Rowing,,\n',
    );
    const { stdout } = await source(
      'choose',
      'Club members',
      '--name',
      'Given',
      '--last-name',
      'Family',
      '--status-column',
      'State',
      '--status',
      'former=left-out',
      '--groups-end-at',
      'Until',
      '--date-order',
      'day-first',
      '--groups',
      'Teams',
      '--group-separator',
      ',',
      '--further-groups',
      'Tags',
      '--group-column',
      'Board',
    );
    expect(stdout).toContain('status-column: State');
    expect(stdout).toContain('States without a meaning: "paused"');
    expect((await site.get('/sources')).body.data[0].collections[0].columns).toMatchObject({
      email: 'Mail',
      displayName: 'Given',
      lastName: 'Family',
      status: 'State',
      groupsEndAt: 'Until',
      groups: 'Teams',
      furtherGroups: ['Tags'],
      groupColumns: ['Board'],
      groupSeparator: ',',
      dateOrder: 'dayFirst',
      statusWords: [{ word: 'former', meaning: 'leftOut' }],
    });
    expect((await done('sync', 'Club members')).counts).toMatchObject({ created: 1, skipped: 1 });
    expect(await scopeGroups(site)).toEqual({
      Rowing: ['ada'],
      Sailing: ['ada'],
      VIP: ['ada'],
      Board: ['ada'],
    });
    expect((await site.get('/members')).body.data).toMatchObject([{ displayName: 'Ada King' }]);
  });

  test('a source that somebody changes at the same time is not overwritten', async () => {
    const { site, id } = await startList();
    const gate = await gateBefore(server.address, async ({ method }) => {
      if (method === 'PATCH') await site.patch(`/sources/${id}`, { graceDays: 3 });
      return true;
    });
    const { json } = await commandsWith(gate, site)(['source', 'choose', 'Club members', '--json']);
    expect(json.error.code).toBe('precondition_failed');
    expect((await site.get(`/sources/${id}`)).body.data).toMatchObject({ graceDays: 3, collections: [] });
  });

  test('rows without a readable address are counted, with what to do about them', async () => {
    const { source, done, list } = await startList('E-Mail\nada@example.com\nbob@example.com\n');
    await done('choose', 'Club members');
    await done('sync', 'Club members');
    list.body = 'E-Mail\nada@example.com\nbob(at)example.com\n';
    const { stdout, exitCode } = await source('sync', 'Club members');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('skipped row 3: not an email address ("bob(at)example.com")');
    expect(stdout).toContain('1 row has an email address that cannot be read.');
    expect((await source('sync', 'Club members', '--confirm')).exitCode).toBe(0);
  });

  test('after a chosen column was renamed, the columns are guessed again', async () => {
    const { done, list } = await startList('Vorname;E-Mail\nAda;ada@example.com\n');
    await done('choose', 'Club members', '--no-name');
    list.body = 'Vorname;Kontakt\nAda;ada@example.com\n';
    const { collections } = await done('choose', 'Club members');
    expect(collections[0].columns).toMatchObject({ email: 'Kontakt', displayName: 'Vorname' });
    expect(await done('sync', 'Club members')).toMatchObject({ status: 'succeeded', counts: { read: 1 } });
  });

  test('a list without addresses cannot be chosen before a column is named', async () => {
    const { source, failed } = await startList('Who,Contact\nAda,\n');
    expect((await source('preview', 'Club members')).stdout).toContain('No column has email addresses');
    expect((await failed('choose', 'Club members'))[1]).toBe('no_email_column');
    expect((await source('choose', 'Club members', '--email', 'Contact')).exitCode).toBe(0);
  });

  test('a removed collection keeps its group until it is confirmed', async () => {
    const { site, source, done, failed } = await startList();
    expect((await failed('sync', 'Club members'))[1]).toBe('nothing_chosen');
    await done('choose', 'Club members');
    await done('sync', 'Club members');
    const removed = await source('remove', 'Club members', 'list');
    expect(removed.stdout).toContain(
      "7 days, or until ./gatehouse sources sync 'Club members' --wait --confirm-removals",
    );
    await source('sync', 'Club members');
    expect(await scopeGroups(site)).toEqual({ 'Club members': ['ada', 'bob'] });
    expect((await source('collections', 'Club members')).stdout).toMatch(/Club members +no/);
    expect((await source('sync', 'Club members', '--confirm')).exitCode).toBe(0);
    expect(await scopeGroups(site)).toEqual({});
    expect((await failed('remove', 'Club members', 'Others'))[1]).toBe('collection_not_found');
  });

  test('the token or address comes from a file or the standard input, and is not printed', async () => {
    const { run, source, done, failed } = await start();
    const list = await aList('Email\nada@example.com\n');
    const secret = `${list.address}?key=4711-secret`;
    const file = temporaryFile('address.txt', `${secret}\n`);
    const created = await source('create', 'Members', '--type', 'list', '--secret-file', file);
    expect(created).toMatchObject({ exitCode: 0, stdout: expect.not.stringContaining('4711-secret') });
    const fromInput = ['source', 'create', 'Team', '--type', 'notion', '--secret-file', '-', '--json'];
    const team = await run(fromInput, { input: 'ntn_4711\r\n' });
    expect(team).toMatchObject({ exitCode: 0, json: { type: 'notion', host: 'api.notion.com' } });
    expect(team.stdout).not.toContain('ntn_4711');
    const replaced = await run(['source', 'update', 'Members', '--secret-file', '-'], {
      input: `${secret}2\n`,
    });
    expect(replaced).toMatchObject({ exitCode: 0, stdout: expect.not.stringContaining('4711-secret') });
    const other = await aList('Email\nbob@example.com\n');
    const { host } = await done('update', 'Members', '--address', other.address);
    expect(host).toBe(new URL(other.address).host);

    const empty = await run(fromInput, { input: '\n' });
    expect(empty.json.error.code).toBe('invalid_secret');
    const missing = await failed('create', 'Other', '--type', 'notion', '--secret-file', 'none.txt');
    expect(missing.slice(0, 2)).toEqual([1, 'file_not_found']);
    for (const wrong of [
      ['create', 'Other', '--type', 'notion'],
      ['create', 'Other', '--type', 'notion', '--address', secret],
      ['create', 'Other', '--type', 'list'],
      ['create', 'Other', '--type', 'program', '--secret-file', file],
      ['create', 'Other', '--type', 'list', '--address', secret, '--secret-file', file],
      ['create', 'Other', '--type', 'sheet'],
    ])
      expect((await failed(...wrong)).slice(0, 2)).toEqual([2, 'wrong_usage']);
  });

  test('while a source is turned on, the command says that a new choice is synchronized now', async () => {
    const { site, source } = await startList();
    expect((await source('choose', 'Club members')).stdout).toContain('--dry-run');
    await source('update', 'Club members', '--enable');
    await expect.poll(() => scopeGroups(site), { timeout: 20_000 }).not.toEqual({});
    const { stdout } = await source('choose', 'Club members', '--no-name');
    expect(stdout).toContain("is synchronized now. See ./gatehouse sources runs list 'Club members'.");
    expect(stdout).not.toContain('--dry-run');
  });

  test('settings are changed, and shown in the list', async () => {
    const { source, done, failed, id } = await startList();
    const settings = [
      '--interval-minutes',
      '30',
      '--grace-days',
      '3',
      '--on-leave',
      'block',
      '--max-removed-people',
      '5',
    ];
    const changed = await done(
      'update',
      id,
      '--name',
      'Crew',
      '--enable',
      ...settings,
      '--max-removed-percent',
      '9',
    );
    expect(changed).toMatchObject({
      name: 'Crew',
      enabled: true,
      intervalMinutes: 30,
      graceDays: 3,
      onLeave: 'block',
      maxRemovedPeople: 5,
      maxRemovedPercent: 9,
    });
    expect((await source('list')).stdout).toMatch(/Crew +list +on +30 min +0 +127\.0\.0\.1/);
    expect((await source('update', 'crew', '--disable')).stdout).toMatch(/^Enabled +no$/m);
    expect((await done('list'))[0]).toMatchObject({ id, enabled: false });
    expect((await failed('update', 'Crew')).slice(0, 2)).toEqual([2, 'wrong_usage']);
    expect((await failed('update', 'Crew', '--enable', '--disable')).slice(0, 2)).toEqual([2, 'wrong_usage']);
    expect(await failed('update', 'Crwe', '--enable')).toEqual([
      1,
      'source_not_found',
      'The site has no source "Crwe". Did you mean "Crew"? See ./gatehouse sources list.',
    ]);
  });

  test('groups are deleted with their source only with --confirm', async () => {
    const { site, done, failed } = await startList();
    await done('choose', 'Club members');
    await done('sync', 'Club members');
    expect((await failed('delete', 'Club members', '--groups', 'delete'))[1]).toBe('confirmation_required');
    expect(await scopeGroups(site)).toEqual({ 'Club members': ['ada', 'bob'] });
    await done('delete', 'Club members', '--groups', 'delete', '--confirm');
    expect((await site.get('/access-groups')).body.data).toEqual([]);
  });

  test('characters that control a terminal are not printed', async () => {
    const { source } = await startList('E-Mail,\u001b]0;Title\u0007\nada@example.com,\u001b[2J\u202ex\n');
    const { stdout } = await source('preview', 'Club members');
    expect(stdout).toContain('ada@example.com');
    for (const character of ['\u001b', '\u0007', '\u202e']) expect(stdout).not.toContain(character);
  });

  test('a source that a program uploads is neither previewed nor synchronized', async () => {
    const { source, done, failed } = await start();
    await done('create', 'Office', '--type', 'program');
    expect((await source('collections', 'Office')).stdout).toBe('No list has been uploaded yet.\n');
    expect((await failed('sync', 'Office')).slice(0, 2)).toEqual([1, 'source_is_uploaded']);
    expect((await source('list')).stdout).toMatch(/Office +program +- +- +0 +-/);
  });

  test('without a service, a source is set up and synchronized by the command itself', async () => {
    const site = await server.createSite();
    const { slug } = (await site.get('/site')).body.data;
    const list = await aList('Who,Contact\nAda,ada@example.com\n');
    const env = { GATEHOUSE_ALLOWED_NETWORKS: '127.0.0.0/8', GATEHOUSE_SECRET_KEY: secretKey };
    const run = (...args: string[]) =>
      commandsOn(server.databaseUrl)(['sources', ...args, '--site', slug], { env });
    const created = await run('create', '--name', 'Club', '--type', 'list', '--address', list.address);
    expect(created, created.stderr).toMatchObject({ exitCode: 0 });
    expect((await run('collections', 'preview', 'club')).stdout).toMatch(/Contact +email +email/);
    const chosen = await run('collections', 'choose', 'club', 'Club', '--email', 'Contact', '--name', 'who');
    expect(chosen.stdout).toContain('./gatehouse sources sync Club --wait --dry-run');
    const dryRun = await run('sync', 'club', '--wait', '--dry-run');
    expect(dryRun.stdout).toContain('Nothing was changed.');
    expect(await scopeGroups(site)).toEqual({});
    const { exitCode, json } = await run('sync', 'club', '--wait', '--json');
    expect({ exitCode, json }).toMatchObject({
      exitCode: 0,
      json: { status: 'succeeded', counts: { added: 1 } },
    });
    expect((await run('runs', 'get', 'club', json.id)).stdout).toMatch(/^Club +1 +1 +1 +0/m);
    expect(await scopeGroups(site)).toEqual({ Club: ['ada'] });
    const removed = await run('collections', 'remove', 'club', 'club', '--json');
    expect(removed.json.collections).toMatchObject([{ chosen: false }]);
  });
});
