import { readFileSync } from 'node:fs';
import { fields } from '@gatehouse/member-lists';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { listCommands } from '../../scripts/command-list.ts';
import { overview, withReference } from '../../scripts/write-commands.ts';
import { commandsOn, commandsWith, gatehouse, temporaryFile } from '../../test/command-line.ts';
import { aGroup, aMember, aWebhook } from '../../test/contract/given.ts';
import { forEachStore } from '../../test/stores.ts';
import { useTestServer } from '../../test/use-server.ts';
import { createProgram } from './main.ts';
import known from './overview.json' with { type: 'json' };

test('the guide lists every command with its options (npm run commands writes it)', async () => {
  const guide = readFileSync(new URL('../../../docs/command-line.md', import.meta.url), 'utf8');
  expect(await withReference(guide)).toBe(guide);
});

test('the help that is written in advance lists every command (npm run commands writes it)', async () => {
  expect(await overview()).toEqual(known);
  expect(Object.keys(await overview())).toEqual(Object.keys(known));
  const { stdout } = await gatehouse(['--help']);
  expect(stdout).toContain((await createProgram()).helpInformation());
});

test('a command that is loaded alone is the one of the whole command line', async () => {
  const program = await createProgram();
  for (const { words } of await listCommands()) {
    const alone = commandAt(await createProgram(words), words);
    expect([words, alone?.helpInformation()]).toEqual([words, commandAt(program, words)!.helpInformation()]);
  }
});

function commandAt(program: Command, words: readonly string[]): Command | undefined {
  return words.reduce<Command | undefined>(
    (group, word) => group?.commands.find((command) => command.name() === word),
    program,
  );
}

forEachStore((store) => {
  const server = useTestServer(store);

  /** A site, and commands for it on the database and with the service. */
  const start = async () => {
    const site = await server.createSite();
    const { slug } = (await site.get('/site')).body.data;
    const direct = (...args: string[]) => commandsOn(server.databaseUrl)([...args, '--site', slug]);
    return { site, direct, remote: (...args: string[]) => commandsWith(server, site)(args) };
  };

  test('a member is created, found by email address, blocked and deleted', async () => {
    const { site, direct, remote } = await start();
    const group = await aGroup(site, { name: 'Course 2026' });
    for (const run of [direct, remote]) {
      const values = ['--display-name', 'Ada', '--paid', '--access-groups', 'course 2026'];
      const created = await run('members', 'create', '--email', 'Ada@example.com', ...values, '--json');
      expect(created.json, created.stderr).toMatchObject({
        email: 'ada@example.com',
        displayName: 'Ada',
        paid: true,
        accessGroups: [{ id: group.id }],
      });
      await run('members', 'update', 'ada@example.com', '--no-display-name', '--no-paid');
      const { stdout } = await run('members', 'block', 'ada@example.com');
      expect(stdout).toMatch(/^Name +-\nStatus +blocked\n/m);
      expect(stdout).toMatch(/^Access groups +Course 2026$/m);
      const list = await run('members', 'list', '--status', 'blocked');
      expect(list.stdout).toMatch(/^EMAIL +NAME +STATUS .*\nada@example\.com +- +blocked +no /);
      const { data } = (await site.get('/events?type=member.blocked')).body;
      expect(data.at(-1).actor.type).toBe(run === direct ? 'operator' : 'key');
      expect(await run('members', 'delete', 'ada@example.com')).toMatchObject({
        exitCode: 0,
        stdout: 'The member is deleted.\n',
      });
      expect(await run('members', 'list', '--status', 'blocked')).toMatchObject({
        stdout: '',
        stderr: 'Nothing matches.\n',
      });
    }
  });

  test('the rules that were read can be set again, and every page of a list is followed', async () => {
    const { site, direct, remote } = await start();
    const rules = '[{"path":"/","access":"public"},{"path":"/course","access":"members"}]';
    for (const run of [direct, remote]) {
      expect((await run('access-rules', 'set', '--rules', rules)).stdout).toContain('/course');
      const file = temporaryFile('rules.json', (await run('access-rules', 'get', '--json')).stdout);
      expect((await run('access-rules', 'set', '-f', file, '--json')).json.rules).toHaveLength(2);
      const few = temporaryFile('few.json', rules);
      expect((await run('access-rules', 'set', '-f', few)).exitCode).toBe(0);
    }
    const members = Array.from({ length: 103 }, (_, index) => ({ email: `m${index}@example.com` }));
    await site.post('/members/bulk', { members });
    for (const run of [direct, remote]) {
      expect((await run('members', 'list', '--json')).json).toHaveLength(103);
      expect(
        (await run('members', 'list', '--jsonl', '--limit', '101')).stdout.trim().split('\n'),
      ).toHaveLength(101);
    }
  });

  test('a time is also a day of the site or a duration', async () => {
    const { site, direct, remote } = await start();
    await site.patch('/site', { timeZone: 'Europe/Berlin' });
    await aGroup(site, { name: 'Rowing' });
    const { email } = await aMember(site);
    const ends = ['--expires-at', '2090-03-26'];
    await direct('access-groups', 'members', 'add', 'Rowing', '--member-id', email, ...ends);
    for (const run of [direct, remote]) {
      const { json } = await run('access-groups', 'memberships', 'list', 'Rowing', '--json');
      expect(json).toMatchObject([{ expiresAt: '2090-03-26T22:00:00.000Z' }]);
      expect((await run('access-groups', 'members', 'get', 'Rowing', email)).stdout).toMatch(
        /^Expires +2090-03-26$/m,
      );
      expect((await run('events', 'list', '--since', '1h', '--json')).json).not.toEqual([]);
      expect((await run('events', 'list', '--until', '1h', '--json')).json).toEqual([]);
    }
  });

  test('rules are shown as a table, and access is checked without JSON', async () => {
    const { site, direct, remote } = await start();
    const { id } = await aGroup(site, { name: 'Rowing' });
    const { email } = await aMember(site, { accessGroupIds: [id] });
    const rules = [
      { path: '/', access: 'public' },
      { path: '/course', access: 'groups', groupIds: [id] },
      { path: '/plan', access: 'conditional', anyOf: [{ access: 'members', groupIds: [id] }] },
    ];
    await site.request('PUT', '/access-rules', { body: { rules } });
    for (const run of [direct, remote]) {
      const { stdout } = await run('access-rules', 'get');
      expect(stdout).toMatch(/^PATH +APPLIES TO +ACCESS +GROUPS +CONDITIONS\n\/ +folder +public +- +-\n/);
      expect(stdout).toMatch(/^\/course +folder +groups +Rowing +-$/m);
      expect(stdout).toMatch(/^\/plan +folder +conditional +- +members in Rowing$/m);
      const check = ['access-rules', 'check', '--path', '/course', '--path', '/'];
      expect((await run(...check, '--member', email)).stdout).toMatch(
        /^PATH +MEMBER +ACCESS +WHY +RULE\n\/course +m-\S+ +allowed +is in the groups of the rule +\/course\n\/ /,
      );
      expect((await run(...check)).stdout).toMatch(/^\/course +not logged in +denied +is not logged in /m);
      expect((await run(...check, '--json')).json).toMatchObject([{ allowed: false }, { allowed: true }]);
      const unknown = await run(...check, '--member', 'nobody@example.com');
      expect(unknown.stdout).toContain('is not a member of the site');
      const none = await run('access-rules', 'check', '--member', email);
      expect(none).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--path is missing') });
      expect((await run('access-rules', 'check', '--help')).stdout).toContain(
        'access-rules check --path /courses/rowing --member ada@example.com',
      );
    }
  });

  test('the help says what an option is, and which values it has', async () => {
    const { direct } = await start();
    const helpFor = async (...command: string[]) =>
      (await direct(...command, '--help')).stdout.replaceAll(/\s+/g, ' ');
    expect(await helpFor('sources', 'create')).toContain(
      'what the source is: one of notion, list, program (required)',
    );
    expect(await helpFor('sources', 'delete')).toContain(
      'what happens to the groups of the source: one of keep, delete (default: keep)',
    );
    expect(await helpFor('members', 'list')).toContain('whether the members are paying: one of true, false');
    const importHelp = await helpFor('members', 'import');
    for (const field of fields) expect(importHelp).toContain(` ${field} `);
    expect(await helpFor('webhooks', 'create')).toContain('what a message contains: one of full, ids');
  });

  test('the URL of a webhook is not that of the service', async () => {
    const { site } = await start();
    const { id } = await aWebhook(site);
    const run = commandsOn(server.databaseUrl);
    for (const command of [['create'], ['update', id]])
      expect(await run(['webhooks', ...command, '--url', 'https://example.com/hook'])).toMatchObject({
        exitCode: 2,
        stderr:
          'gatehouse: --url is the URL of the service. For the URL of the webhook, use --webhook-url.\n',
      });
  });

  test('what a command is about can be an argument, or an option without -id', async () => {
    const { site, direct, remote } = await start();
    await aGroup(site, { name: 'Rowing' });
    for (const run of [direct, remote]) {
      const { email } = await aMember(site);
      for (const member of [[email], ['--member', email], ['--member-id', email]]) {
        const added = await run('access-groups', 'members', 'add', 'Rowing', ...member, '--json');
        expect(added, added.stderr).toMatchObject({ exitCode: 0 });
        await run('access-groups', 'members', 'remove', 'Rowing', email);
      }
      const add = ['access-groups', 'members', 'add', 'Rowing'];
      expect(await run(...add)).toMatchObject({ stderr: expect.stringContaining('--member is missing') });
      for (const other of [[email], ['--member-id', email]])
        expect(await run(...add, ...other, '--member', email)).toMatchObject({
          exitCode: 2,
          stderr: expect.stringContaining('Use either'),
        });
      expect((await run('events', 'list', '--member', email, '--json')).json).not.toEqual([]);
      expect((await run(...add, '--help')).stdout).not.toContain('member-id');
    }
  });

  test('an item of several that fails sets the exit code', async () => {
    const { site, direct, remote } = await start();
    const { email } = await aMember(site);
    const members = JSON.stringify([{ email }, { email: `new-${email}` }]);
    for (const run of [direct, remote]) {
      const result = await run('members', 'bulk-create', '--members', members);
      expect(result).toMatchObject({ exitCode: 1, stderr: '' });
      expect(result.stdout).toMatch(/^EMAIL +STATUS +MESSAGE\n.* conflict +A member /);
      expect(result.stdout).toMatch(/ failed\.\n$/);
    }
  });

  test('a wrong name or value is answered with what is possible', async () => {
    const { site, direct, remote } = await start();
    for (const name of ['Rowing', 'Choir']) await aGroup(site, { name });
    const webhooks = ['http://127.0.0.1:65535/a', 'http://127.0.0.1:65535/b'];
    for (const url of webhooks) await aWebhook(site, { url, description: 'Shop' });
    for (const run of [direct, remote]) {
      const failed = async (command: string) => {
        const { exitCode, stdout, stderr } = await run(...command.split(' '));
        expect(stdout).toBe('');
        return [exitCode, stderr];
      };
      expect(await failed('access-groups get Rowling')).toEqual([
        1,
        'gatehouse: The site has no access group "Rowling". Did you mean "Rowing"? See ./gatehouse access-groups list.\n',
      ]);
      expect(await failed('webhooks get Shop')).toEqual([
        2,
        expect.stringMatching(
          /^gatehouse: Several webhooks are called "Shop"\. Use the ID of one: .{36}, .{36}\.\n$/,
        ),
      ]);
      expect(await failed('members list --limit many')).toEqual([
        2,
        'gatehouse: --limit is "many". Use a whole number.\n',
      ]);
      expect(await failed('access-groups create --name Choir --max-sessions 0')).toEqual([
        2,
        expect.stringMatching(/^gatehouse: maxSessions /),
      ]);
      expect(await failed('members create --email nobody')).toEqual([2, expect.stringContaining('email')]);
      expect(await failed('members list --status asleep')).toEqual([
        2,
        'gatehouse: --status is "asleep". Use active or blocked.\n',
      ]);
      expect(await failed('events list --type member.craeted')).toEqual([
        2,
        'gatehouse: --type is "member.craeted". Did you mean member.created?\n',
      ]);
      expect(await failed('events list --since yesterday')).toEqual([
        2,
        expect.stringContaining('--since is "yesterday". Use a day such as 2027-01-31, a time such as '),
      ]);
      expect(await failed('members create --emial a@example.com')).toEqual([
        2,
        expect.stringContaining('Did you mean --email?'),
      ]);
      expect(await failed('members create')).toEqual([2, expect.stringContaining('--email is missing')]);
      expect(await failed('members create --email a@example.com --paid perhaps')).toEqual([
        2,
        expect.stringContaining('--paid is "perhaps". Use true or false'),
      ]);
      expect(await failed('access-rules set --rules [')).toEqual([
        2,
        expect.stringContaining('--rules is not JSON'),
      ]);
      expect(await failed('access-rules set -f missing.json')).toEqual([
        2,
        'gatehouse: There is no file missing.json. Correct --file.\n',
      ]);
      expect(await failed('access-groups create Choir')).toEqual([
        2,
        'gatehouse: "Choir" is not expected here. Usage: ./gatehouse access-groups create --name <text>\n',
      ]);
      expect(await failed('webhooks deliveries list')).toEqual([
        2,
        'gatehouse: <webhook> is missing. Usage: ./gatehouse webhooks deliveries list <webhook>\n',
      ]);
      expect(await failed('members list --club Choir')).toEqual([
        2,
        "gatehouse: Unknown option '--club'. See ./gatehouse members list --help.\n",
      ]);
    }
  });

  test('a name that begins like an API key is a name', async () => {
    const { site, direct, remote } = await start();
    const group = await aGroup(site, { name: 'gate_team' });
    await aGroup(site, { name: 'team' });
    const { email } = await aMember(site, { email: 'gate_keeper@example.com' });
    for (const run of [direct, remote]) {
      expect((await run('access-groups', 'get', 'gate_team', '--json')).json.id).toBe(group.id);
      expect((await run('members', 'get', email, '--json')).json.email).toBe(email);
      const whole = await run('access-groups', 'get', site.key);
      expect(whole.stderr).toContain(`no access group …${site.key.slice(-4)}.`);
    }
  });

  test('JSON may be in a file, and a text that begins with @ is a text', async () => {
    const { site, direct, remote } = await start();
    const rules = temporaryFile('rules.json', '\uFEFF[{"path":"/","access":"public"}]');
    const { id } = await aMember(site);
    for (const run of [direct, remote]) {
      expect((await run('access-rules', 'set', '--rules', `@${rules}`, '--json')).json.rules).toHaveLength(1);
      for (const displayName of [`@${rules}`, '@@ada']) {
        const { json } = await run('members', 'update', id, '--display-name', displayName, '--json');
        expect(json).toMatchObject({ displayName });
      }
    }
  });

  test.each([
    ['a key twice', '{"name":"Rowing","name":"Choir"}', 'it has the key "name" twice'],
    ['half of a surrogate pair', '{"name":"Rowing \\ud800"}', 'it has half of a surrogate pair'],
    ['another encoding', Buffer.from('{"name":"Chœur é"}', 'latin1'), 'is not a text in UTF-8'],
  ])('a body in a file is checked like that of a request: %s', async (_, content, problem) => {
    const { site, direct, remote } = await start();
    const file = temporaryFile('group.json', content);
    for (const run of [direct, remote]) {
      expect(await run('access-groups', 'create', '-f', file)).toMatchObject({
        exitCode: 2,
        stdout: '',
        stderr: expect.stringContaining(problem),
      });
    }
    expect((await site.get('/access-groups')).body.data).toEqual([]);
  });

  test('a database and a service are not named together', async () => {
    const { direct } = await start();
    expect(await direct('members', 'list', '--key', 'gate_x')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Use either --site'),
    });
  });
});
