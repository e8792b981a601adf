import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { aLoginLink, aMember } from '../../../test/contract/given.ts';
import { HostBrowser } from '../../../test/host-browser.ts';
import { movableTime } from '../../../test/movable-time.ts';
import { forEachStore } from '../../../test/stores.ts';
import { useTestServer } from '../../../test/use-server.ts';

const session = '__Host-gatehouse_session';
const browser = '__Host-gatehouse_login';

forEachStore((store) => {
  const { clock, advance } = movableTime();
  const server = useTestServer(store, {
    clock,
    settings: { trustedProxies: ['127.0.0.1'], loginLimitClient: 0 },
  });

  /** A site with a forum on another domain. */
  async function aSiteWithForum() {
    const site = await server.createSite();
    const id = randomUUID();
    const [club, forum] = [`${id}.example.com`, `forum.${id}.example.org`];
    const hosts = [{ domain: club }, { domain: forum }, { domain: `old.${club}`, redirect: true }];
    expect((await site.patch('/site', { hosts })).status).toBe(200);
    return { site, club, forum, member: await aMember(site) };
  }

  async function aTicket(one: HostBrowser, forum: string, next = '/page') {
    const start = await one.send('GET', `https://${forum}/_gatehouse/login?next=${encodeURIComponent(next)}`);
    const back = await one.send('GET', start.headers.location!);
    return back.headers.location!;
  }

  test('a login at the primary host is valid on the other hosts, each with its own cookie', async () => {
    const { site, club, forum, member } = await aSiteWithForum();
    const one = new HostBrowser(server);
    const start = await one.follow(`https://${forum}/_gatehouse/login?next=/topics%3Fpage%3D2`);
    expect(start.urls.map((url) => new URL(url).host + new URL(url).pathname)).toEqual([
      `${forum}/_gatehouse/login`,
      `${club}/_gatehouse/host`,
      `${club}/_gatehouse/login`,
    ]);
    expect(start.answer.text).toContain('<form');
    const next = new URL(start.urls.at(-1)!).searchParams.get('next')!;
    const link = await aLoginLink(site, member.id, next);
    const login = await one.send('POST', `https://${club}/_gatehouse/link/${link}`, { form: {} });
    const { urls } = await one.follow(login.headers.location!);
    expect(urls.at(-1)).toBe(`https://${forum}/topics?page=2`);
    const tokens = [club, forum].map((host) => one.cookiesOf(host).get(session));
    expect(tokens[0]).not.toBe(tokens[1]);
    expect([await one.gate(club, '/'), await one.gate(forum, '/')]).toEqual([204, 204]);
    // The cookie of one host is worth nothing on another one.
    const thief = new HostBrowser(server);
    thief.cookiesOf(club).set(session, tokens[1]!);
    thief.cookiesOf(forum).set(session, tokens[0]!);
    expect([await thief.gate(club, '/'), await thief.gate(forum, '/')]).toEqual([401, 401]);
    const { data } = (await site.get(`/members/${member.id}/sessions`)).body;
    expect(data).toHaveLength(1);
  });

  test.each(['log out on the first host', 'log out on the other host', 'revoke', 'block', 'delete'])(
    'all hosts notice at the next request: %s',
    async (what) => {
      const { site, club, forum, member } = await aSiteWithForum();
      const one = new HostBrowser(server);
      await one.logIn(site, member.id, club);
      await one.follow(`https://${forum}/_gatehouse/login`);
      expect([await one.gate(club, '/'), await one.gate(forum, '/')]).toEqual([204, 204]);
      const { id } = (await site.get(`/members/${member.id}/sessions`)).body.data[0];
      const cookies = [club, forum].map((host) => one.cookiesOf(host).get(session)!);
      if (what === 'revoke') await site.request('DELETE', `/members/${member.id}/sessions/${id}`);
      else if (what === 'block') await site.patch(`/members/${member.id}`, { status: 'blocked' });
      else if (what === 'delete') await site.request('DELETE', `/members/${member.id}`);
      else {
        const host = what.includes('first') ? club : forum;
        await one.send('POST', `https://${host}/_gatehouse/logout`, { form: {} });
      }
      const after = new HostBrowser(server);
      after.cookiesOf(club).set(session, cookies[0]!);
      after.cookiesOf(forum).set(session, cookies[1]!);
      expect([await after.gate(club, '/'), await after.gate(forum, '/')]).toEqual([401, 401]);
    },
  );

  test('a ticket works once, even for 32 requests at the same time', async () => {
    const { site, club, forum, member } = await aSiteWithForum();
    const one = new HostBrowser(server);
    await one.logIn(site, member.id, club);
    const ticket = await aTicket(one, forum);
    const cookies = one.cookiesOf(forum);
    const answers = await Promise.all(
      Array.from({ length: 32 }, async () => {
        const same = new HostBrowser(server);
        same.cookiesOf(forum).set(browser, cookies.get(browser)!);
        await same.send('GET', ticket);
        return same.cookiesOf(forum).has(session);
      }),
    );
    expect(answers.filter(Boolean)).toHaveLength(1);
  });

  test('a ticket is refused in another browser, at another host, on another site and after 30 seconds', async () => {
    const { site, club, forum, member } = await aSiteWithForum();
    const [second, third] = [`second.${club}`, `third.${club}`];
    const hosts = [{ domain: club }, { domain: forum }, { domain: second }, { domain: third }];
    await site.patch('/site', { hosts });
    const other = await aSiteWithForum();
    const one = new HostBrowser(server);
    await one.logIn(site, member.id, club);
    const isRefused = async (ticket: string, host: string, who: HostBrowser) => {
      const { search } = new URL(ticket);
      const answer = await who.send('GET', `https://${host}/_gatehouse/ticket${search}&again=yes`);
      expect([answer.status, who.cookiesOf(host).has(session)]).toEqual([400, false]);
      // It was used up.
      await who.send('GET', ticket);
      expect(who.cookiesOf(forum).has(session)).toBe(false);
    };
    const thief = new HostBrowser(server);
    await isRefused(await aTicket(one, forum), forum, thief);
    thief.cookiesOf(forum).set(browser, 'x'.repeat(43));
    await isRefused(await aTicket(one, forum), forum, thief);
    for (const host of [second, third]) {
      const ticket = await aTicket(one, forum);
      one.cookiesOf(host).set(browser, one.cookiesOf(forum).get(browser)!);
      await isRefused(ticket, host, one);
    }
    const foreign = await aTicket(one, forum);
    one.cookiesOf(other.forum).set(browser, one.cookiesOf(forum).get(browser)!);
    const { search } = new URL(foreign);
    const there = await one.send('GET', `https://${other.forum}/_gatehouse/ticket${search}&again=yes`);
    expect([there.status, one.cookiesOf(other.forum).has(session)]).toEqual([400, false]);
    const late = await aTicket(one, forum);
    advance(30_000);
    await isRefused(late, forum, one);
  });

  test('a ticket for a session that ended, or for a blocked member, is refused', async () => {
    const { site, club, forum, member } = await aSiteWithForum();
    const one = new HostBrowser(server);
    await one.logIn(site, member.id, club);
    const blocked = await aTicket(one, forum);
    await site.patch(`/members/${member.id}`, { status: 'blocked' });
    expect((await one.send('GET', `${blocked}&again=yes`)).status).toBe(400);
    expect(one.cookiesOf(forum).has(session)).toBe(false);
  });

  test('a login link that is opened in another browser logs in there, and continues to the other host', async () => {
    const { site, club, forum, member } = await aSiteWithForum();
    const [first, phone] = [new HostBrowser(server), new HostBrowser(server)];
    const { urls } = await first.follow(`https://${forum}/_gatehouse/login?next=/topics`);
    const next = new URL(urls.at(-1)!).searchParams.get('next')!;
    const link = await aLoginLink(site, member.id, next);
    const login = await phone.send('POST', `https://${club}/_gatehouse/link/${link}`, { form: {} });
    const end = await phone.follow(login.headers.location!);
    expect(end.urls.at(-1)).toBe(`https://${forum}/topics`);
    expect(phone.cookiesOf(forum).has(session)).toBe(true);
    expect(first.cookiesOf(forum).has(session)).toBe(false);
  });

  test('a browser that keeps no cookies gets a message, not endless redirects', async () => {
    const { site, club, forum, member } = await aSiteWithForum();
    const one = new HostBrowser(server);
    await one.logIn(site, member.id, club);
    let url = `https://${forum}/_gatehouse/login`;
    let answer = await one.send('GET', url);
    let redirects = 0;
    for (; answer.headers.location !== undefined && redirects < 20; redirects += 1) {
      one.cookiesOf(forum).clear();
      url = answer.headers.location;
      answer = await one.send('GET', url);
    }
    expect([answer.status, redirects]).toEqual([400, 4]);
  });

  test('a form of another host that was not sent is mentioned on the login page', async () => {
    const { club, forum } = await aSiteWithForum();
    const { urls, answer } = await new HostBrowser(server).follow(
      `https://${forum}/_gatehouse/login?next=%2Ftopic&unsent=yes`,
    );
    expect(new URL(urls.at(-1)!).host).toBe(club);
    expect(new URL(urls.at(-1)!).searchParams.get('next')).toContain('next=%2Ftopic');
    expect(answer.text).toContain('your form was not sent');
  });

  test('no address leads to a host that is not the site’s', async () => {
    const { site, club, forum, member } = await aSiteWithForum();
    const other = await aSiteWithForum();
    const one = new HostBrowser(server);
    await one.logIn(site, member.id, club);
    const hash = 'a'.repeat(64);
    const foreign = ['evil.example', other.forum, other.club, `old.${club}`, club, `${forum}.evil.example`];
    const written = [`${forum}@evil.example`, `${forum}:8443`, `${forum}/`, ` ${forum}`, `${forum}\\`, ''];
    for (const host of [...foreign, ...written]) {
      const url = `https://${club}/_gatehouse/host?host=${encodeURIComponent(host)}&browser=${hash}&next=/`;
      const answer = await one.send('GET', url);
      expect([host, answer.status, answer.headers.location]).toEqual([host, 400, undefined]);
    }
    for (const twice of [`host=${forum}&host=evil.example`, `host[]=${forum}`]) {
      const answer = await one.send('GET', `https://${club}/_gatehouse/host?${twice}&browser=${hash}&next=/`);
      expect(answer.status).toBe(400);
    }
  });

  test('visits of a redirected host, and of the site with or without www., lead to the primary host', async () => {
    const { club, forum } = await aSiteWithForum();
    const one = new HostBrowser(server);
    const denied = async (host: string, path: string) => {
      const headers = { 'x-forwarded-host': host, 'x-original-uri': path };
      return one.send('GET', `https://${host}/_gatehouse/denied`, { headers });
    };
    const forward = async (host: string, path: string) => {
      const headers = { 'x-forwarded-host': host, 'x-forwarded-uri': path };
      return one.send('GET', `https://${host}/_gatehouse/forward-auth`, { headers });
    };
    for (const host of [`old.${club}`, `www.${club}`]) {
      expect(await one.gate(host, '/page?x=1')).toBe(401);
      for (const answer of [await denied(host, '/page?x=1'), await forward(host, '/page?x=1')]) {
        expect([answer.status, answer.headers.location]).toEqual([302, `https://${club}/page?x=1`]);
      }
      for (const path of [
        '//evil.example',
        '@evil.example',
        '/\\evil.example',
        '.evil.example/',
        '/%0d%0a',
      ]) {
        const { headers } = await denied(host, path);
        expect(new URL(headers.location!).host).toBe(club);
      }
      const page = await one.send('GET', `https://${host}/_gatehouse/account?x=1`);
      expect(page.headers.location).toBe(`https://${club}/_gatehouse/account?x=1`);
    }
    // Only the primary host has a second name.
    expect(await one.gate(`www.${forum}`, '/')).toBe(403);
    expect(await one.gate(`www.www.${club}`, '/')).toBe(403);
  });

  test('a site with www. is found without it', async () => {
    const site = await server.createSite();
    const domain = `${randomUUID()}.example.com`;
    await site.patch('/site', { domain: `www.${domain}` });
    const one = new HostBrowser(server);
    const { headers } = await one.send('GET', `https://${domain}/_gatehouse/login`);
    expect(headers.location).toBe(`https://www.${domain}/_gatehouse/login`);
    await site.patch('/site', { hosts: [{ domain: `www.${domain}` }, { domain }] });
    expect(await one.gate(domain, '/')).toBe(401);
    const login = await one.send('GET', `https://${domain}/_gatehouse/login`);
    expect(login.headers.location).toContain(`https://www.${domain}/_gatehouse/host?`);
  });

  test('a host that is removed logs members out there, also when it returns', async () => {
    const { site, club, forum, member } = await aSiteWithForum();
    const one = new HostBrowser(server);
    await one.logIn(site, member.id, club);
    await one.follow(`https://${forum}/_gatehouse/login`);
    expect(await one.gate(forum, '/')).toBe(204);
    await site.patch('/site', { hosts: [{ domain: club }] });
    expect([await one.gate(club, '/'), await one.gate(forum, '/')]).toEqual([204, 403]);
    await site.patch('/site', { hosts: [{ domain: club }, { domain: forum }] });
    expect([await one.gate(club, '/'), await one.gate(forum, '/')]).toEqual([204, 401]);
  });

  test('rules apply at the hosts that they name, and replace the rules for all hosts there', async () => {
    const { site, club, forum, member } = await aSiteWithForum();
    const rules = [
      { path: '/', access: 'public' },
      { path: '/', access: 'members', hosts: [forum] },
      { path: '/help', access: 'public', hosts: [forum] },
      { path: '/vip', access: 'paying_members' },
      { path: '/vip', access: 'members', hosts: [club] },
    ];
    expect((await site.request('PUT', '/access-rules', { body: { rules } })).status).toBe(200);
    const one = new HostBrowser(server);
    const statuses = async (host: string) =>
      Promise.all(['/', '/help', '/vip', '/x'].map((path) => one.gate(host, path)));
    expect(await statuses(club)).toEqual([204, 204, 401, 204]);
    expect(await statuses(forum)).toEqual([401, 204, 401, 401]);
    const paths = [{ path: '/vip' }, { path: '/vip', host: forum }, { path: '/', host: forum }];
    const checks = paths.map((check) => ({ memberId: member.id, ...check }));
    const { data } = (await site.post('/access-checks', { checks })).body;
    expect(data.map(({ reason }: { reason: string }) => reason)).toEqual(['member', 'not_paying', 'member']);
    await one.logIn(site, member.id, club);
    await one.follow(`https://${forum}/_gatehouse/login`);
    const token = one.cookiesOf(forum).get(session);
    const there = await site.post('/sessions/verify', { token, path: '/vip', host: forum });
    expect(there.body.data).toMatchObject({ member: { id: member.id }, access: { reason: 'not_paying' } });
    const here = await site.post('/sessions/verify', { token, path: '/vip' });
    expect(here.body.data).toMatchObject({ member: null, access: { reason: 'anonymous' } });
    const unknown = await site.post('/sessions/verify', { token, path: '/vip', host: 'evil.example' });
    expect(unknown.body.error).toMatchObject({ code: 'invalid_request' });
  });

  test('a rule for a folder at a host also replaces the rule for only its page', async () => {
    const { site, club, forum } = await aSiteWithForum();
    const rules = [
      { path: '/', access: 'public' },
      { path: '/about', appliesTo: 'page', access: 'public' },
      { path: '/about', access: 'members', hosts: [forum] },
      { path: '/wiki', access: 'members' },
      { path: '/wiki', appliesTo: 'page', access: 'public', hosts: [forum] },
    ];
    expect((await site.request('PUT', '/access-rules', { body: { rules } })).status).toBe(200);
    const one = new HostBrowser(server);
    const statuses = async (host: string) =>
      Promise.all(['/about', '/about/', '/wiki', '/wiki/x'].map((path) => one.gate(host, path)));
    expect(await statuses(club)).toEqual([204, 204, 401, 401]);
    expect(await statuses(forum)).toEqual([401, 401, 401, 401]);
  });

  test('a ticket for a host that has been removed is refused, also when the host returns', async () => {
    const { site, club, forum, member } = await aSiteWithForum();
    const one = new HostBrowser(server);
    await one.logIn(site, member.id, club);
    const ticket = await aTicket(one, forum);
    await site.patch('/site', { hosts: [{ domain: club }] });
    await site.patch('/site', { hosts: [{ domain: club }, { domain: forum }] });
    await one.send('GET', `${ticket}&again=yes`);
    expect(one.cookiesOf(forum).has(session)).toBe(false);
  });

  test('tickets that are used while the member logs out cause no error', async () => {
    const { site, club, forum, member } = await aSiteWithForum();
    for (let times = 0; times < 5; times += 1) {
      const one = new HostBrowser(server);
      await one.logIn(site, member.id, club);
      const tickets = await Promise.all([aTicket(one, forum), aTicket(one, forum)]);
      const answers = await Promise.all([
        ...tickets.map((ticket) => one.send('GET', ticket)),
        one.send('GET', `https://${club}/_gatehouse/host?host=${forum}&browser=${'a'.repeat(64)}&next=/`),
        one.send('POST', `https://${club}/_gatehouse/logout`, { form: {} }),
      ]);
      expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
      expect(await one.gate(forum, '/')).toBe(401);
    }
  });

  test('a long destination does not lose the host', async () => {
    const { site, club, forum, member } = await aSiteWithForum();
    const one = new HostBrowser(server);
    const long = await one.send('GET', `https://${forum}/_gatehouse/login?next=/${'('.repeat(1_400)}`);
    expect(long.headers.location!.length).toBeLessThan(2_000);
    await one.logIn(site, member.id, club);
    const back = await one.follow(long.headers.location!);
    expect(back.urls.at(-1)).toBe(`https://${forum}/`);
  });

  test('a rule cannot name an unknown or redirected host, and a named host cannot be removed', async () => {
    const { site, club, forum } = await aSiteWithForum();
    const set = async (rules: unknown) =>
      (await site.request('PUT', '/access-rules', { body: { rules } })).body.error?.message;
    const rule = { path: '/', access: 'public' };
    expect(await set([{ ...rule, hosts: ['evil.example'] }])).toContain('evil.example');
    expect(await set([{ ...rule, hosts: [`old.${club}`] }])).toContain('redirected');
    const same = [
      { ...rule, hosts: [forum, club] },
      { ...rule, access: 'members', hosts: [forum] },
    ];
    expect(await set(same)).toContain('two rules');
    expect(await set([{ ...rule, hosts: [forum.toUpperCase()] }])).toBeUndefined();
    for (const hosts of [[{ domain: club }], [{ domain: club }, { domain: forum, redirect: true }]]) {
      const { status, body } = await site.patch('/site', { hosts });
      expect([status, body.error.message]).toEqual([400, expect.stringContaining(forum)]);
    }
  });

  test('a host belongs to one site, and a host name occurs once on a site', async () => {
    const { site, club, forum } = await aSiteWithForum();
    const other = await aSiteWithForum();
    const codeOf = async (input: unknown) => (await site.patch('/site', input)).body.error?.code;
    expect(await codeOf({ domain: other.forum })).toBe('site_domain_taken');
    expect(await codeOf({ hosts: [{ domain: club }, { domain: other.club }] })).toBe('site_domain_taken');
    expect(await codeOf({ hosts: [{ domain: club }, { domain: `${other.forum}:8443` }] })).toBe(
      'site_domain_taken',
    );
    expect(await codeOf({ hosts: [{ domain: club }, { domain: `${club}:8443` }] })).toBe('invalid_request');
    expect(await codeOf({ hosts: [{ domain: club, redirect: true }] })).toBe('invalid_request');
    expect(await codeOf({ hosts: [{ domain: club }], domain: club })).toBe('invalid_request');
    expect(await codeOf({ hosts: [{ domain: '*.example.com' }] })).toBe('invalid_request');
    expect(await codeOf({ domain: null })).toBe('invalid_request');
    const { data } = (await site.get('/site')).body;
    expect(data.hosts).toEqual([
      { domain: club, scheme: 'https', redirect: false },
      { domain: forum, scheme: 'https', redirect: false },
      { domain: `old.${club}`, scheme: 'https', redirect: true },
    ]);
    expect(data).toMatchObject({ domain: club, scheme: 'https' });
  });
});
