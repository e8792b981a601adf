import { expect, test } from 'vitest';
import { commandsOn, commandsWith } from '../../../test/command-line.ts';
import { aDomain, aGroup, aMember, aSession, aWebhook } from '../../../test/contract/given.ts';
import { anInvitation } from '../../../test/contract/ways-in.ts';
import { forOneStore } from '../../../test/stores.ts';
import { useTestServer } from '../../../test/use-server.ts';

forOneStore((store) => {
  const server = useTestServer(store);

  test('a table has at most 120 characters in a line, and the IDs of what has no other name', async () => {
    const site = await server.createSite();
    const { slug } = (await site.get('/site')).body.data;
    const run = commandsOn(server.databaseUrl);
    const list = async (...words: string[]) => {
      const { stdout, stderr } = await run([...words, '--site', slug]);
      expect(stderr).toBe('');
      expect([words, Math.max(...stdout.split('\n').map((line) => line.length))]).toEqual([
        words,
        expect.toSatisfy((length: number) => length <= 120),
      ]);
      return stdout;
    };
    const description = 'Everybody who has booked the course for beginners in spring';
    const { id } = await aGroup(site, { name: 'Rowing course', description });
    const email = 'charles.babbage@engineering.example.org';
    const member = await aMember(site, { email, displayName: 'Charles Babbage', accessGroupIds: [id] });
    await aWebhook(site);

    const members = await list('members', 'list');
    expect(members).toContain(email);
    expect(members).not.toContain(member.id);
    expect(await list('access-groups', 'list')).toContain(description);
    expect(await list('access-groups', 'memberships', 'list', 'Rowing course')).toContain(member.id);
    expect(await list('api-keys', 'list')).toMatch(/PERMISSIONS\n.*members:read, .*…\n/);
    await list('webhooks', 'list');
    await aSession(site, member.id);
    expect(await list('members', 'sessions', 'list', email)).toMatch(/ID +BROWSER\n/);
    await list('event-groups', 'list');
    const note = 'Everybody who has booked the course for beginners in spring, and their friends';
    await anInvitation(site, { note, maxUses: 30 });
    expect(await list('invitations', 'list')).toMatch(/0 of 30 .*Everybody who has .*…\n$/);
    await site.storeJoinRequest();
    expect(await list('join-requests', 'list')).toContain('Ada Lovelace');
    await site.storePageCode({ label: 'Class 7b' });
    expect(await list('page-codes', 'list')).toMatch(/^Class 7b +active +0 /m);

    const [event] = (await site.get('/events?type=member.created')).body.data;
    const events = await list('events', 'list');
    const minute = event.occurredAt.slice(0, 16);
    expect(events).toMatch(
      new RegExp(`^${minute}Z +member\\.created +Test key +${event.id} +charles\\.babb`, 'm'),
    );
    expect(events).not.toMatch(/[{}"]/);
  });

  test('what people pass on is alone on the first line, and found again by its name', async () => {
    const site = await server.createSite();
    await aDomain(site);
    const run = commandsWith(server, site);
    const created = await run([
      'invitations',
      'create',
      '--note',
      'Beginners',
      '--membership-expires-at',
      '90d',
    ]);
    expect(created.stdout).toMatch(/^https:\/\/\S+\/_gatehouse\/join\/[\w-]{43}\n\n/);
    expect((await run(['invitations', 'get', 'beginners'])).stdout.split('\n')[0]).toBe(
      created.stdout.split('\n')[0],
    );
    const code = await run(['page-codes', 'create', '--label', 'Class 7b']);
    expect(code.stdout).toMatch(/^[a-z]+(?:-[a-z]+){4}\n\n/);
    const rules = [
      { path: '/class', access: 'code', pageCodeIds: [(await site.get('/page-codes')).body.data[0].id] },
    ];
    const set = await run(['access-rules', 'set', '--rules', JSON.stringify(rules)]);
    expect(set.stdout).toMatch(/PAGE CODES\n\/class .* Class 7b/);
    const checked = await run(['access-rules', 'check', '--path', '/class', '--page-code', 'Class 7b']);
    expect(checked.stdout).toContain('has entered a page code');
    await site.storeJoinRequest();
    const { email } = (await site.get('/join-requests')).body.data[0];
    const decided = await run(['join-requests', 'decide', '--decision', 'approve', '--join-requests', email]);
    expect([decided.exitCode, decided.stdout]).toEqual([0, expect.stringContaining('approved')]);
  });
});
