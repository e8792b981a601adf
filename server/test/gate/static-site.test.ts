import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Club, clubHost, loggedIn, startClub, targetOf } from './club.ts';
import { pathTricks } from './path-tricks.ts';
import { caddyForFiles, type RunningProxy } from './proxies.ts';
import { type ProxiedSite, Visitor } from './visitor.ts';

describe.skipIf(caddyForFiles.leftOut())('a static site behind Caddy', () => {
  let club: Club;
  let running: RunningProxy;
  let proxied: ProxiedSite;
  beforeAll(async () => {
    club = await startClub();
    running = await caddyForFiles.start(club.upstreams);
    proxied = { port: running.httpsPort, host: clubHost, certificate: club.certificate };
    await club.setRules({ path: '/', access: 'public' }, { path: '/members', access: 'members' });
  });
  afterAll(async () => {
    await running?.stop();
    await club?.stop();
  });

  test('public pages are visible to everyone, and members’ pages to members', async () => {
    const anonymous = new Visitor(proxied);
    expect(await anonymous.get('/')).toMatchObject({
      status: 200,
      text: expect.stringContaining('for everybody'),
    });
    const redirected = await anonymous.get('/members/');
    expect(redirected.status).toBe(302);
    const loginPage = await anonymous.get(targetOf(redirected.headers.get('location')));
    expect(loginPage).toMatchObject({ status: 200, text: expect.stringContaining('name="email"') });
    expect((await anonymous.get('/_gatehouse/forward-auth')).status).toBe(404);

    const id = await club.createMember('ada@example.com');
    const member = await loggedIn(proxied, await club.linkOf(id));
    expect((await member.get('/members/')).text).toContain(club.secret);
    await club.api('PATCH', `/members/${id}`, { status: 'blocked' });
    expect((await member.get('/members/')).status).toBe(302);
  });

  test('no trick with a path gives access, and none is given while Gatehouse is down', async () => {
    for (const programPaths of [true, false]) {
      await club.setRules(
        { path: '/', access: 'public' },
        { path: '/members', access: 'members', programPaths },
        { path: '/public', access: 'public', programPaths },
      );
      const answers = await new Visitor(proxied).getAll(pathTricks.map(({ target }) => target));
      expect(pathTricks.filter((_, index) => answers[index]!.text.includes(club.secret))).toEqual([]);
    }
    await club.stopGatehouse();
    expect((await new Visitor(proxied).get('/')).status).toBe(502);
  });
});
