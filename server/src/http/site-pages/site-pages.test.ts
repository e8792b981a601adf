import { expect, test } from 'vitest';
import { aDomain, aMember } from '../../../test/contract/given.ts';
import { forEachStore } from '../../../test/stores.ts';
import { visit } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { appendedToLinks, emailTo, everyLoginRequestProcessed, Visitor } from '../../../test/visitor.ts';

const pages = [
  '/login',
  '/check',
  '/account',
  `/link/${'x'.repeat(43)}`,
  '/nowhere',
  '/style.css',
  '/press.js',
  '/send-once.js',
  '/logo',
  '/icon',
];

forEachStore((store) => {
  const server = useTestServer(store, {});

  test('every page forbids foreign scripts, frames and caches', async () => {
    const site = await server.createSite();
    await aDomain(site);
    for (const path of pages) {
      const { headers, text } = await site.visit('GET', `/_gatehouse${path}`);
      const policy = headers['content-security-policy'];
      expect([path, policy]).toEqual([path, expect.stringContaining("default-src 'none'")]);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'strict-transport-security': expect.stringContaining('max-age='),
      });
      if (!/\.(css|js)$|^\/icon$/.test(path)) expect(headers['cache-control']).toBe('no-store');
      expect(text).not.toMatch(/<script(?![^>]* src="\/_gatehouse\/)|<style| style=| on\w+=/i);
    }
  });

  test('a host that belongs to no site has no pages', async () => {
    for (const host of ['nowhere.example', '', 'a:b:c', 'localhost']) {
      const status = host === 'a:b:c' ? 400 : 404;
      for (const path of pages) {
        const answer = await visit(server.address, 'GET', `/_gatehouse${path}`, { headers: { host } });
        expect([path, answer.status]).toEqual([path, status]);
      }
    }
  });

  test('a forwarded host is accepted only from a trusted proxy', async () => {
    const site = await server.createSite();
    const headers = { host: 'nowhere.example', 'x-forwarded-host': await aDomain(site) };
    expect((await visit(server.address, 'GET', '/_gatehouse/login', { headers })).status).toBe(404);
  });

  test('a site is found with its port, in uppercase and lowercase, and not with another port', async () => {
    const site = await server.createSite();
    const domain = await aDomain(site);
    const status = async (host: string) =>
      (await visit(server.address, 'GET', '/_gatehouse/login', { headers: { host } })).status;
    expect(await status(domain.toUpperCase())).toBe(200);
    expect(await status(`${domain}:443`)).toBe(200);
    expect(await status(`${domain}:8443`)).toBe(404);
    expect(await status(`x.${domain}`)).toBe(404);
    await site.patch('/site', { domain: `${domain}:8443` });
    expect(await status(`${domain}:8443`)).toBe(200);
    expect(await status(domain)).toBe(404);
  });

  test('after five login links an address has to wait, whether or not it is a member’s', async () => {
    const site = await server.createSite();
    await aDomain(site);
    for (const email of [(await aMember(site)).email, 'anonymous@example.org']) {
      const statuses = [];
      for (let times = 0; times < 7; times += 1)
        statuses.push((await new Visitor(site).requestLink(email)).status);
      expect(statuses).toEqual([303, 303, 303, 303, 303, 429, 429]);
      const late = await new Visitor(site).requestLink(email.toUpperCase());
      expect([late.status, Number(late.headers['retry-after'])]).toEqual([429, expect.any(Number)]);
      expect(late.text).toContain('15');
    }
    expect((await new Visitor(site).requestLink('another@example.org')).status).toBe(303);
  });

  test('after twenty codes for one address in a day only the links work', async () => {
    const site = await server.createSite();
    const member = await aMember(site);
    for (let requestLink = 0; requestLink < 4; requestLink += 1) {
      const visitor = new Visitor(site);
      await visitor.requestLink(member.email);
      await everyLoginRequestProcessed(server);
      const wrong = (await emailTo(server, member.email)).code === '000000' ? '000001' : '000000';
      for (let attempt = 0; attempt < 5; attempt += 1)
        await visitor.post('/_gatehouse/code', { code: wrong });
    }
    const visitor = new Visitor(site);
    await visitor.requestLink(member.email);
    await everyLoginRequestProcessed(server);
    const { code, path } = await emailTo(server, member.email);
    await visitor.post('/_gatehouse/code', { code: code! });
    expect(visitor.session).toBeUndefined();
    expect((await visitor.post(path)).status).toBe(303);
  });

  test('forms with other media types or sizes are rejected with a page', async () => {
    const site = await server.createSite();
    const host = await aDomain(site);
    const post = (type: string, form: Record<string, string>) =>
      visit(server.address, 'POST', '/_gatehouse/login', { form, headers: { host, 'content-type': type } });
    const json = await post('application/json', { email: 'a@example.com' });
    expect([json.status, json.headers['content-type']]).toEqual([415, 'text/html; charset=utf-8']);
    const form = 'application/x-www-form-urlencoded';
    expect((await post(form, { email: 'x'.repeat(20_000) })).status).toBe(413);
    expect((await post(form, {})).status).toBe(400);
    const twice = await visit(server.address, 'POST', '/_gatehouse/login', {
      form: { 'email[]': 'a@example.com', ['__proto__']: 'x', constructor: 'y' },
      headers: { host },
    });
    expect(twice.status).toBe(400);
  });

  test('pages and emails use the browser’s language if the site offers it', async () => {
    const site = await server.createSite();
    const member = await aMember(site);
    const visitor = new Visitor(site);
    await aDomain(site);
    const language = (text: string) => /<html lang="(\w+)"/.exec(text)?.[1];
    const page = async (header: string) =>
      language((await visitor.get('/_gatehouse/login', { 'accept-language': header })).text);
    expect(await page('de-AT,de;q=0.9,en;q=0.5')).toBe('de');
    expect(await page('pt-BR')).toBe('en');
    await visitor.post('/_gatehouse/login', { email: member.email }, { 'accept-language': 'ja' });
    expect((await emailTo(server, member.email)).html).toContain('lang="ja"');
    await site.patch('/site', { languages: ['fr', 'de'] });
    expect(await page('en')).toBe('fr');
    expect(await page('de')).toBe('de');
  });

  test('logging out ends the session, here or everywhere', async () => {
    const site = await server.createSite();
    const member = await aMember(site);
    const enter = async () => {
      const visitor = new Visitor(site);
      await visitor.requestLink(member.email);
      await everyLoginRequestProcessed(server);
      await visitor.post((await emailTo(server, member.email)).path);
      return visitor;
    };
    const count = async () => (await site.get(`/members/${member.id}/sessions`)).body.data.length;
    const [one, two, three] = [await enter(), await enter(), await enter()];
    expect(await count()).toBe(3);
    expect((await one.post('/_gatehouse/logout')).status).toBe(200);
    expect([one.session, await count()]).toEqual([undefined, 2]);
    const leaving = await two.post('/_gatehouse/logout', { next: '/course' });
    expect(leaving.headers.location).toBe(`https://${await aDomain(site)}/_gatehouse/login?next=%2Fcourse`);
    await three.submit('/_gatehouse/logout-everywhere');
    expect(await count()).toBe(0);
    expect((await site.get('/events?type=session.revoked')).body.data).toHaveLength(3);
  });

  const chromium = {
    'sec-ch-ua': '"Chromium";v="140", "Not A(Brand";v="8"',
    'sec-fetch-site': 'same-origin',
  };
  const navigation = { ...chromium, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  const pressed = { ...navigation, 'sec-fetch-user': '?1' };
  const safari = {
    'sec-fetch-site': 'same-origin',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  };
  const ofScripts: Record<string, Record<string, string>> = {
    'fetch, to read the response': { ...chromium, 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
    'fetch without reading': { ...chromium, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'empty' },
    'fetch of Safari': { ...safari, 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
    'a frame': { ...pressed, 'sec-fetch-dest': 'iframe' },
    'an object': { ...pressed, 'sec-fetch-dest': 'object' },
    'a script element': { ...chromium, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' },
  };
  const loggedIn = async () => {
    const site = await server.createSite();
    await site.patch('/site', { membersCreateTokens: true });
    const member = await aMember(site, { displayName: 'Ada' });
    const visitor = new Visitor(site);
    await visitor.requestLink(member.email);
    const { path } = await emailTo(server, member.email);
    // The page of a login link submits its form itself, in the browser that requested the link.
    expect((await visitor.post(path, {}, navigation)).status).toBe(303);
    const state = async () => [
      (await site.get(`/members/${member.id}`)).body.data.displayName,
      (await site.get(`/members/${member.id}/access-tokens`)).body.data.length,
      (await site.get(`/members/${member.id}/sessions`)).body.data.length,
    ];
    return { visitor, member, state };
  };
  const forms = {
    '/_gatehouse/account': { displayName: 'Eve' },
    '/_gatehouse/account/access-tokens': { name: 'x', days: '', shownAt: new Date().toISOString() },
    '/_gatehouse/logout-everywhere': {},
    '/_gatehouse/logout': {},
  };

  test('another page of the host can neither read the account page nor send its forms', async () => {
    const { visitor, member, state } = await loggedIn();
    for (const [sender, headers] of Object.entries(ofScripts)) {
      for (const path of ['/_gatehouse/account', '/_gatehouse/check', `/_gatehouse/link/${'x'.repeat(43)}`]) {
        const read = await visitor.get(path, headers);
        expect([sender, path, read.status, read.text.includes(member.email)]).toEqual([
          sender,
          path,
          403,
          false,
        ]);
      }
      for (const [path, form] of Object.entries(forms))
        expect([sender, path, (await visitor.submit(path, form, headers)).status]).toEqual([
          sender,
          path,
          403,
        ]);
      expect((await visitor.post('/_gatehouse/login', { email: member.email }, headers)).status).toBe(403);
    }
    for (const [path, form] of Object.entries(forms)) {
      expect([path, (await visitor.submit(path, form, navigation)).status]).toEqual([path, 403]);
      if (path === '/_gatehouse/logout') continue;
      // A page that has been pressed can send any form, but does not know the key.
      for (const headers of [pressed, safari, {}])
        expect([path, (await visitor.post(path, form, headers)).status]).toEqual([path, 403]);
    }
    expect(await state()).toEqual(['Ada', 0, 1]);
  });

  test('the account page is found with what was appended to its address in an email', async () => {
    const { visitor } = await loggedIn();
    for (const appended of appendedToLinks) {
      const { status, headers } = await visitor.get(`/_gatehouse/account${appended}`);
      expect([appended, status]).toEqual([appended, 302]);
      expect(headers.location).toMatch(/^https:\/\/[^/]+\/_gatehouse\/account$/);
    }
    for (const other of ['/_gatehouse/accounts', '/_gatehouse/account.a', '/_gatehouse/account/a.'])
      expect([other, (await visitor.get(other)).status]).toEqual([other, 404]);
  });

  test('a press on the account page works in every browser', async () => {
    for (const headers of [pressed, safari, {}]) {
      const { visitor, state } = await loggedIn();
      expect((await visitor.get('/_gatehouse/account', headers)).status).toBe(200);
      const statuses: number[] = [];
      for (const [path, form] of Object.entries(forms))
        statuses.push((await visitor.submit(path, form, headers)).status);
      expect(statuses).toEqual([303, 200, 200, 200]);
      expect(await state()).toEqual(['Eve', 0, 0]);
    }
  });

  test('a service worker that passes all requests on lets members log in, and reads and sends nothing else', async () => {
    // Chromium drops the destination and the press.
    const passedOn = { ...chromium, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'empty' };
    const site = await server.createSite();
    const member = await aMember(site);
    await aDomain(site);
    const visitor = new Visitor(site);
    expect((await visitor.post('/_gatehouse/login', { email: member.email }, passedOn)).status).toBe(303);
    expect((await visitor.get('/_gatehouse/check', passedOn)).status).toBe(200);
    const { path } = await emailTo(server, member.email);
    const inAdvance = { ...passedOn, 'sec-purpose': 'prefetch' };
    expect((await visitor.get(path, inAdvance)).status).toBe(403);
    expect((await visitor.get(path, passedOn)).status).toBe(200);
    expect((await visitor.post(path, {}, passedOn)).status).toBe(303);
    expect(visitor.session).toBeDefined();
    const refused = await visitor.get('/_gatehouse/account', passedOn);
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('A service worker of');
    expect(refused.text).toContain('URLs whose path begins with <code>/_gatehouse/</code>');
    for (const headers of [passedOn, { ...passedOn, 'sec-ch-ua': '' }])
      for (const [form, fields] of Object.entries(forms))
        expect([form, (await visitor.submit(form, fields, headers)).status]).toEqual([form, 403]);
    expect((await site.get(`/members/${member.id}/sessions`)).body.data).toHaveLength(1);
  });

  test('no page of the host keeps a hold on a window with a page of Gatehouse', async () => {
    const site = await server.createSite();
    await aDomain(site);
    const policyFor = async (brands?: string) => {
      const headers = brands === undefined ? {} : { 'sec-ch-ua': brands };
      return (await site.visit('GET', '/_gatehouse/login', { headers })).headers[
        'cross-origin-opener-policy'
      ];
    };
    expect(await policyFor('"Brave";v="140", "Chromium";v="140"')).toBe('noopener-allow-popups');
    for (const brands of [undefined, '"Chromium";v="130"', '"Chromium";v="x"', 'Chromium 140'])
      expect([brands, await policyFor(brands)]).toEqual([brands, 'same-origin']);
  });

  test('a member cannot end a session of another member', async () => {
    const site = await server.createSite();
    const [ada, eve] = [await aMember(site), await aMember(site)];
    const enter = async (email: string) => {
      const visitor = new Visitor(site);
      await visitor.requestLink(email);
      await visitor.post((await emailTo(server, email)).path);
      return visitor;
    };
    await enter(ada.email);
    const evil = await enter(eve.email);
    expect(evil.session).toBeDefined();
    const [{ id }] = (await site.get(`/members/${ada.id}/sessions`)).body.data;
    expect((await evil.submit('/_gatehouse/account/sessions/end', { id })).status).toBe(303);
    expect((await site.get(`/members/${ada.id}/sessions`)).body.data).toHaveLength(1);
  });

  test('a site where visitors can become members says so, and asks nobody to ask', async () => {
    const site = await server.createSite();
    await aDomain(site);
    const shown = async (policy: string, domains: string[] = [], allowsAccessRequests = true) => {
      const rules = domains.map((domain) => ({ domain, accessGroupIds: [] }));
      await site.patch('/site', { signUp: { policy, domains: rules }, allowsAccessRequests });
      const visitor = new Visitor(site);
      const login = (await visitor.get('/_gatehouse/login')).text;
      await visitor.requestLink(`nobody@${policy.replace('_', '-')}.example`);
      const check = (await visitor.get('/_gatehouse/check')).text;
      expect(login + check).not.toContain('lakeside.example');
      return [
        /<h1>(.*)<\/h1>/.exec(login)![1],
        check.includes('can log in or sign up'),
        login.includes('href="/_gatehouse/join"'),
      ];
    };
    expect(await shown('members_only')).toEqual(['Log in', false, true]);
    expect(await shown('open')).toEqual(['Log in or sign up', true, false]);
    expect(await shown('allowed_domains', ['lakeside.example'])).toEqual(['Log in or sign up', true, true]);
    expect(await shown('allowed_domains', ['lakeside.example'], false)).toEqual([
      'Log in or sign up',
      true,
      false,
    ]);
    expect(await shown('approval', ['lakeside.example'])).toEqual(['Log in', false, true]);
  });

  test('every page has the links that the site has set', async () => {
    const site = await server.createSite();
    await aDomain(site);
    const imprint = 'https://www.example.org/imprint';
    await site.patch('/site', { links: { contact: null, upgrade: null, imprint, privacy: null } });
    for (const path of ['/login', `/link/${'x'.repeat(43)}`, '/nowhere', '/join/x']) {
      const { text } = await site.visit('GET', `/_gatehouse${path}`);
      expect([path, /<footer>.*<\/footer>/s.exec(text)?.[0].match(/href="[^"]*"/g)]).toEqual([
        path,
        [`href="${imprint}"`],
      ]);
    }
  });

  test('a site without a logo has an icon with its initial, which changes with its title', async () => {
    const site = await server.createSite();
    await aDomain(site);
    const iconWith = async (title: string) => {
      await site.patch('/site', { title });
      const page = await site.visit('GET', '/_gatehouse/login');
      const [, address] = /<link rel="icon" href="([^"]+)">/.exec(page.text)!;
      const { headers, text } = await site.visit('GET', address!);
      expect(headers).toMatchObject({
        'content-type': 'image/svg+xml',
        'cache-control': 'public, max-age=86400',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      });
      return { address, text };
    };
    const [rowing, hostile] = [await iconWith('Rowing Club'), await iconWith('<script>')];
    expect(rowing.text).toContain('>R</text>');
    expect(hostile.text).toContain('>S</text>');
    expect(rowing.address).not.toBe(hostile.address);
  });

  test('a name is normalized, or rejected as invalid', async () => {
    const site = await server.createSite();
    const member = await aMember(site);
    const visitor = new Visitor(site);
    await visitor.requestLink(member.email);
    await visitor.post((await emailTo(server, member.email)).path);
    const nameAfter = async (displayName: string) => {
      const { status } = await visitor.submit('/_gatehouse/account', { displayName });
      return [status, (await site.get(`/members/${member.id}`)).body.data.displayName];
    };
    expect(await nameAfter('  Ada <Lovelace> ')).toEqual([303, 'Ada <Lovelace>']);
    expect(await nameAfter('x'.repeat(201))).toEqual([400, 'Ada <Lovelace>']);
    expect(await nameAfter('a\nb')).toEqual([400, 'Ada <Lovelace>']);
    expect(await nameAfter(' ')).toEqual([303, null]);
    const [event] = (await site.get('/events?type=member.updated')).body.data;
    expect(event.actor).toMatchObject({ type: 'member', id: member.id });
  });
});
