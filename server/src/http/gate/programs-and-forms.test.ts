import { expect, test } from 'vitest';
import { aDomain, aMember, aSession } from '../../../test/contract/given.ts';
import { forOneStore } from '../../../test/stores.ts';
import { type TestSite, visit } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';

const browser = { accept: 'text/html', 'user-agent': 'Mozilla/5.0', 'sec-fetch-mode': 'navigate' };
const script = { accept: '*/*', 'user-agent': 'Mozilla/5.0' };

forOneStore((store) => {
  const server = useTestServer(store, { settings: { trustedProxies: ['127.0.0.1'] } });

  /** The response to a visitor without access, by each of the ways of proxies. */
  async function denials(site: TestSite, method: string, path: string, given: Record<string, string>) {
    const headers = { 'x-forwarded-host': await aDomain(site), ...given };
    const send = (kind: string, more: Record<string, string>) =>
      visit(server.address, 'GET', `/_gatehouse/${kind}`, { headers: { ...headers, ...more } });
    return [
      await send('forward-auth', { 'x-forwarded-uri': path, 'x-forwarded-method': method }),
      await send('denied', { 'x-original-uri': path }),
    ];
  }

  test('a script and a program get an error that they can read', async () => {
    const site = await server.createSite();
    const login = `https://${await aDomain(site)}/_gatehouse/login?next=%2Fapi`;
    for (const answer of await denials(site, 'GET', '/api', script)) {
      expect([answer.status, answer.headers['content-type']]).toEqual([
        401,
        'application/json; charset=utf-8',
      ]);
      expect(JSON.parse(answer.text)).toEqual({
        error: { code: 'login_required', message: `Log in first: ${login}` },
      });
    }
    const { id } = await aMember(site);
    const cookie = `__Host-gatehouse_session=${(await aSession(site, id)).token}`;
    await site.request('PUT', '/access-rules', {
      body: { rules: [{ path: '/', access: 'paying_members' }] },
    });
    for (const answer of await denials(site, 'GET', '/api', { ...script, cookie })) {
      expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([403, 'access_denied']);
    }
    for (const answer of await denials(site, 'GET', '/a;b', script))
      expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([403, 'access_denied']);
    for (const answer of await denials(site, 'GET', '/api', { ...browser, cookie }))
      expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('</html>')]);
  });

  test('a form that is sent after the session leads to its page, and the login page says that nothing was sent', async () => {
    const site = await server.createSite();
    const host = await aDomain(site);
    const form = {
      ...browser,
      'content-type': 'application/x-www-form-urlencoded',
      origin: `https://${host}`,
    };
    const login = `https://${host}/_gatehouse/login`;
    const referers: [string | undefined, string][] = [
      [`https://${host}/form?id=7&access_token=gmt_x`, `${login}?next=%2Fform%3Fid%3D7&unsent=yes`],
      [`https://${host}/`, `${login}?unsent=yes`],
      ['https://evil.example/form', `${login}?unsent=yes`],
      [undefined, `${login}?unsent=yes`],
    ];
    for (const [referer, location] of referers) {
      const headers = { ...form, ...(referer !== undefined && { referer }) };
      for (const answer of await denials(site, 'POST', '/save', headers))
        expect([referer, answer.status, answer.headers.location]).toEqual([referer, 302, location]);
    }
    const languages = ['en', 'de', 'fr', 'es', 'ja'];
    const pages = languages.map((language) =>
      site.visit('GET', '/_gatehouse/login?next=%2Fform&unsent=yes', {
        headers: { 'accept-language': language },
      }),
    );
    const notes = (await Promise.all(pages)).map(({ text }) => /role="alert">([^<]+)</.exec(text)?.[1]);
    expect(new Set(notes).size).toBe(languages.length);
    expect(notes[0]).toContain('your form was not sent');
    expect((await site.visit('GET', '/_gatehouse/login?next=%2Fform')).text).not.toContain('role="alert"');
  });

  test('a member without access who sends a form can log in with another address and returns to its page', async () => {
    const site = await server.createSite();
    const host = await aDomain(site);
    const { token } = await aSession(site, (await aMember(site)).id);
    await site.request('PUT', '/access-rules', {
      body: { rules: [{ path: '/', access: 'paying_members' }] },
    });
    const headers = {
      ...browser,
      'content-type': 'text/plain',
      referer: `https://${host}/form`,
      cookie: `__Host-gatehouse_session=${token}`,
    };
    for (const { text } of await denials(site, 'POST', '/save', headers))
      expect(/name="next" value="([^"]*)"/.exec(text)?.[1]).toBe('/form');
    await site.request('PUT', '/access-rules', { body: { rules: [{ path: '/', access: 'members' }] } });
    // The rules were changed between the two requests of nginx.
    const [, allowed] = await denials(site, 'POST', '/save', headers);
    expect([allowed!.status, allowed!.headers.location]).toEqual([302, `https://${host}/form`]);
  });
});
