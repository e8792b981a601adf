import { describe, expect, test } from 'vitest';
import { aDomain, aSession } from '../../../server/test/contract/given.ts';
import { forOneStore } from '../../../server/test/stores.ts';
import { startTestServer, type TestServer } from '../../../server/test/test-server.ts';
import { frameworks, visit } from '../../test/gated-site.ts';
import { Gatehouse } from '../index.ts';

const accept = 'text/html';

forOneStore((store) => {
  let started: Promise<TestServer> | undefined;

  /** A public site except for `/courses`, which requires a group, with a logged-in member of this group. */
  async function openSite() {
    started ??= startTestServer(store);
    const server = await started;
    const site = await server.createSite();
    const gatehouse = new Gatehouse({ url: server.address, key: site.key });
    const domain = await aDomain(site);
    const { id: groupId } = await gatehouse.accessGroups.create({ name: 'Course' });
    await gatehouse.accessRules.replace([
      { path: '/', access: 'public' },
      { path: '/courses', access: 'groups', groupIds: [groupId] },
    ]);
    const member = await gatehouse.members.create({ email: 'ada@example.com', accessGroupIds: [groupId] });
    const { token } = await aSession(site, member.id);
    const { secret } = await site.createKey({ permissions: ['members:read'] });
    const ofGate = new Gatehouse({ url: server.address, key: secret });
    return { gatehouse, ofGate, domain, groupId, member, cookie: `__Host-gatehouse_session=${token}` };
  }

  describe.each(Object.entries(frameworks))('with a real Gatehouse, %s', (_, startSite) => {
    test('allows and denies as the rules and the members change', async () => {
      const { gatehouse, ofGate, domain, groupId, member, cookie } = await openSite();
      const address = await startSite(ofGate);
      const asMember = async () =>
        (await visit(address, '/courses/a?b=c', { headers: { cookie, accept } })).status;
      const anonymously = (path: string) => visit(address, path, { headers: { accept } });

      expect(await anonymously('/')).toMatchObject({ status: 200, body: 'The page, for everybody.' });
      expect(await anonymously('/courses/a?b=c')).toMatchObject({
        status: 302,
        headers: { location: `https://${domain}/_gatehouse/login?next=%2Fcourses%2Fa%3Fb%3Dc` },
      });
      expect(await asMember()).toBe(200);
      await gatehouse.accessGroups.members.remove(groupId, member.id);
      expect(await asMember()).toBe(403);
      await gatehouse.accessGroups.members.add(groupId, { memberId: member.id });
      expect(await asMember()).toBe(200);
      await gatehouse.members.update(member.id, { status: 'blocked' });
      expect(await asMember()).toBe(302);
    });

    test('a member without access is led to the pages on which it can be got', async () => {
      const { gatehouse, ofGate, domain, groupId, member, cookie } = await openSite();
      await gatehouse.accessGroups.members.remove(groupId, member.id);
      const { id: codeId } = await gatehouse.pageCodes.create({ label: 'Class 7b' });
      await gatehouse.accessRules.replace([
        {
          path: '/courses',
          access: 'conditional',
          anyOf: [
            { access: 'members', groupIds: [groupId] },
            { access: 'code', pageCodeIds: [codeId] },
          ],
        },
      ]);
      await gatehouse.site.update({ allowsAccessRequests: true });
      const address = await startSite(ofGate);
      const { status, body } = await visit(address, '/courses/a?b=c', { headers: { cookie, accept } });
      expect(status).toBe(403);
      for (const page of ['page-code', 'join'])
        expect(body).toContain(`href="https://${domain}/_gatehouse/${page}?next=%2Fcourses%2Fa%3Fb%3Dc"`);
      const program = await visit(address, '/courses/a', { headers: { cookie, accept: '*/*' } });
      expect([program.status, JSON.parse(program.body).error.code]).toEqual([403, 'access_denied']);
    });

    test('only a navigation is redirected, and a form leads to its page', async () => {
      const { ofGate, domain } = await openSite();
      const address = await startSite(ofGate);
      const login = `https://${domain}/_gatehouse/login`;
      const post = async (headers: Record<string, string>) =>
        visit(address, '/courses/save', { method: 'POST', headers: { accept, ...headers } });
      const referers = {
        [`https://${domain}/courses/form?id=7`]: `${login}?next=%2Fcourses%2Fform%3Fid%3D7&unsent=yes`,
        'https://evil.example/courses/form': `${login}?unsent=yes`,
        [`https://${domain}/${'x'.repeat(5_000)}`]: `${login}?unsent=yes`,
      };
      for (const [referer, location] of Object.entries(referers))
        expect(await post({ referer })).toMatchObject({ status: 302, headers: { location } });
      const script = { accept, 'sec-fetch-mode': 'cors' };
      for (const method of ['GET', 'POST']) {
        const { status, body } = await visit(address, '/courses', { method, headers: script });
        expect([status, JSON.parse(body).error.code]).toEqual([401, 'login_required']);
      }
    });

    test('a preflight passes where a rule lets it, and nothing that looks like one', async () => {
      const { gatehouse, ofGate, cookie } = await openSite();
      await gatehouse.accessRules.replace([
        { path: '/', access: 'members' },
        { path: '/api', access: 'members', preflights: true },
      ]);
      const address = await startSite(ofGate);
      const preflight = { origin: 'https://forum.example.net', 'access-control-request-method': 'PUT' };
      const status = async (path: string, headers: Record<string, string>, method = 'OPTIONS') =>
        (await visit(address, path, { method, headers })).status;
      expect((await visit(address, '/api/x', { method: 'OPTIONS', headers: preflight })).status).toBe(200);
      expect(await status('/api', { ...preflight, cookie })).toBe(200);
      expect(await status('/courses', preflight)).toBe(401);
      expect(await status('/api', preflight, 'GET')).toBe(401);
      const { origin, ...withoutOrigin } = preflight;
      const others: Record<string, string>[] = [
        { origin },
        withoutOrigin,
        { ...preflight, cookie: 'theme=dark' },
        { ...preflight, authorization: 'Bearer x' },
        { ...preflight, 'content-type': 'text/plain' },
        { ...preflight, 'content-length': '1' },
        { ...preflight, 'transfer-encoding': 'chunked' },
        { ...preflight, 'x-http-method-override': 'GET' },
        { ...preflight, origin: `${origin}, ${origin}` },
      ];
      for (const headers of others) expect([headers, await status('/api', headers)]).toEqual([headers, 401]);
    });

    const tricks = [
      '/public/../courses',
      '/public/%2e%2e/courses',
      '/public/..%2fcourses',
      '/./courses',
      '//courses',
      '/courses//',
      '/%63ourses',
      '/%2563ourses',
      '/COURSES',
      '/courses-',
      '/-courses/week-1',
      '/c%C3%B3urses',
      "/cour'ses",
      '/courses-.html',
      '/courses;a=b',
      '/courses%3ba',
      '/courses%00',
      '/courses%5c',
      '/\\courses',
      '/public\\..\\courses',
      '/courses%',
      '/courses.html',
      '/courses?',
      '/courses?/../public',
      '/courses#/../public',
      '/courses%23',
      '/courses%3f',
      '/courses/%c0%ae%c0%ae/public',
      '/cours\u00e9s/../courses',
      'http://elsewhere.example/courses',
    ];
    test('shows an anonymous visitor nothing for a path that could be read as a denied one', async () => {
      const { ofGate } = await openSite();
      const address = await startSite(ofGate);
      for (const path of tricks) {
        const response = await visit(address, path);
        expect(response.status, path).toBeOneOf([400, 401, 403, 404, 500]);
        expect(response.body, path).not.toContain('The page');
      }
    });

    test('allows the paths that a program needs below its rule, and no others', async () => {
      const { gatehouse, ofGate, cookie } = await openSite();
      const [rule] = (await gatehouse.accessRules.get()).rules.filter(({ path }) => path === '/courses');
      await gatehouse.accessRules.replace([
        { path: '/', access: 'public' },
        { ...rule!, programPaths: true },
      ]);
      const address = await startSite(ofGate);
      const status = async (path: string, headers = {}) => (await visit(address, path, { headers })).status;
      for (const path of ['/courses/a%2Fb', '/courses/C%23', '/courses/index.php/a', '/courses/a;b=c'])
        expect([path, await status(path), await status(path, { cookie })]).toEqual([path, 401, 200]);
      for (const path of ['/courses/..%2fx', '/courses/%252e%252e%252fx', '/courses;/a'])
        expect([path, (await status(path, { cookie })) >= 400]).toEqual([path, true]);
      for (const path of tricks) expect((await visit(address, path)).body, path).not.toContain('The page');
    });

    test('denies access when the session has ended', async () => {
      const { gatehouse, ofGate, member, cookie } = await openSite();
      const address = await startSite(ofGate);
      await gatehouse.members.sessions.revokeAll(member.id);
      expect((await visit(address, '/courses', { headers: { cookie } })).status).toBe(401);
    });

    test('accepts no session of another site', async () => {
      const { ofGate } = await openSite();
      const other = await openSite();
      const address = await startSite(ofGate);
      const response = await visit(address, '/courses', { headers: { cookie: other.cookie } });
      expect(response.status).toBe(401);
    });

    test('denies access with a key without the permission', async () => {
      started ??= startTestServer(store);
      const server = await started;
      const { key } = await server.createSite(['events:read']);
      const errors: unknown[] = [];
      const options = { onError: (error: unknown) => errors.push(error) };
      const address = await startSite(new Gatehouse({ url: server.address, key }), options);
      expect((await visit(address, '/')).status).toBe(503);
      expect(errors).toMatchObject([{ code: 'permission_denied' }]);
    });
  });
});
