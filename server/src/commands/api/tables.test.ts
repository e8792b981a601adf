import { expect, test } from 'vitest';
import { commandsOn } from '../../../test/command-line.ts';
import { aGroup, aMember, aSession, aWebhook } from '../../../test/contract/given.ts';
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

    const [event] = (await site.get('/events?type=member.created')).body.data;
    const events = await list('events', 'list');
    const minute = event.occurredAt.slice(0, 16);
    expect(events).toMatch(
      new RegExp(`^${minute}Z +member\\.created +Test key +${event.id} +charles\\.babb`, 'm'),
    );
    expect(events).not.toMatch(/[{}"]/);
  });
});
