import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Club, clubHost, loggedIn, startClub, targetOf } from './club.ts';
import { pathTricks } from './path-tricks.ts';
import { caddyForFiles, type RunningProxy } from './proxies.ts';
import { type Door, Visitor } from './visitor.ts';

describe.skipIf(caddyForFiles.leftOut())('a static site behind Caddy', () => {
  let club: Club;
  let running: RunningProxy;
  let door: Door;
  beforeAll(async () => {
    club = await startClub();
    running = await caddyForFiles.start(club.place);
    door = { port: running.httpsPort, host: clubHost, certificate: club.certificate };
    await club.setRules({ path: '/', access: 'public' }, { path: '/members', access: 'members' });
  });
  afterAll(async () => {
    await running?.stop();
    await club?.stop();
  });

  test('everybody sees what is public, and members what is theirs', async () => {
    const stranger = new Visitor(door);
    expect(await stranger.get('/')).toMatchObject({
      status: 200,
      text: expect.stringContaining('for everybody'),
    });
    const sentAway = await stranger.get('/members/');
    expect(sentAway.status).toBe(302);
    const loginPage = await stranger.get(targetOf(sentAway.headers.get('location')));
    expect(loginPage).toMatchObject({ status: 200, text: expect.stringContaining('name="email"') });
    expect((await stranger.get('/_gatehouse/forward-auth')).status).toBe(404);

    const id = await club.createMember('ada@example.com');
    const member = await loggedIn(door, await club.linkOf(id));
    expect((await member.get('/members/')).text).toContain(club.secret);
    await club.api('PATCH', `/members/${id}`, { status: 'blocked' });
    expect((await member.get('/members/')).status).toBe(302);
  });

  test('no trick with a path, and nothing while Gatehouse is away, opens what is kept', async () => {
    for (const { target, note } of pathTricks) {
      const { text } = await new Visitor(door).get(target);
      expect([target, note, text.includes(club.secret)]).toEqual([target, note, false]);
    }
    await club.stopGatehouse();
    expect((await new Visitor(door).get('/')).status).toBe(502);
  });
});
