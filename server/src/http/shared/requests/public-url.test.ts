import { beforeAll, expect, test } from 'vitest';
import { aDomain, aMember } from '../../../../test/contract/given.ts';
import { forEachStore, type Store } from '../../../../test/stores.ts';
import { startTestServer, type TestServer, type TestSite, visit } from '../../../../test/test-server.ts';
import { useTestServer } from '../../../../test/use-server.ts';
import { emailTo, Visitor } from '../../../../test/visitor.ts';

const here = 'localhost:18080';
const elsewhere = 'gate.example.org';

/** The title of the site whose login page a host shows, or the status if it shows none. */
async function siteAt(server: TestServer, host: string): Promise<string | number> {
  const { status, text } = await visit(server.address, 'GET', '/_gatehouse/login', { headers: { host } });
  return status === 200 ? /<p class="site"><bdi>(.*?)<\/bdi>/.exec(text)![1]! : status;
}

forEachStore((store) => {
  const server = useTestServer(store, {
    settings: { publicUrl: `http://${here}`, trustedProxies: ['127.0.0.1'] },
  });
  /** The oldest site, which is at the public URL. */
  let site: TestSite;
  beforeAll(async () => {
    site = await server.createSite();
  });

  test('on localhost members log in at the public URL, whatever the domain of the site', async () => {
    for (const domain of [null, 'club.example.org', null]) {
      await site.patch('/site', { domain, logo: null });
      const { email } = await aMember(site);
      const visitor = new Visitor(site);
      const headers = { host: here, origin: `http://${here}` };
      expect((await visitor.post('/_gatehouse/login', { email }, headers)).status).toBe(303);
      const { url, path, text } = await emailTo(server, email);
      expect(url).toBe(`http://${here}${path}`);
      expect(text).not.toContain('club.example.org');
      const pressed = await visitor.post(path, {}, headers);
      expect(pressed.headers).toMatchObject({ location: `http://${here}/` });
      expect(pressed.headers['set-cookie']?.[0]).toMatch(/^gatehouse_session=.{20,}SameSite=Lax$/);
      const account = await visitor.get('/_gatehouse/account', { host: here });
      expect([account.status, account.text.includes(email)]).toEqual([200, true]);
    }
  });

  test('the site’s own domain still works next to the public URL', async () => {
    const domain = await aDomain(site);
    const { email } = await aMember(site);
    const visitor = new Visitor(site);
    await visitor.post('/_gatehouse/login', { email });
    const { url, path } = await emailTo(server, email);
    expect(url).toBe(`https://${domain}${path}`);
    const pressed = await visitor.post(path);
    expect(pressed.headers['set-cookie']?.[0]).toMatch(/^__Host-gatehouse_session=.*; Secure$/);
    // Emails that an operator sends use the domain too.
    const member = await aMember(site);
    await site.post(`/members/${member.id}/login-links`, {});
    expect((await emailTo(server, member.email)).url).toContain(`https://${domain}/`);
  });

  test('the logo is also shown at a public URL without a domain', async () => {
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await site.patch('/site', { domain: null, logo: `data:image/png;base64,${png}` });
    const { text } = await visit(server.address, 'GET', '/_gatehouse/login', { headers: { host: here } });
    const [, logo = ''] = /<img class="logo" src="http:\/\/localhost:18080(.*?)"/.exec(text)!;
    expect((await visit(server.address, 'GET', logo, { headers: { host: here } })).status).toBe(200);
  });

  test('the oldest of several sites is at a public URL on localhost, unless that is another site’s domain', async () => {
    const second = await server.createSite();
    await site.patch('/site', { domain: null, title: 'Oldest' });
    await second.patch('/site', { title: 'Second' });
    expect(await siteAt(server, here)).toBe('Oldest');
    await second.patch('/site', { domain: here });
    expect(await siteAt(server, here)).toBe('Second');
    await second.patch('/site', { domain: null });
    expect(await siteAt(server, here)).toBe('Oldest');
    expect(await siteAt(server, 'localhost:18081')).toBe(404);
    expect(await siteAt(server, 'localhost')).toBe(404);
  });

  test('a public URL elsewhere belongs to a site only while it is the only one and has no domain', async () => {
    const server = await startTestServer(store, { settings: { publicUrl: `https://${elsewhere}` } });
    const site = await server.createSite();
    await site.patch('/site', { title: 'Alone' });
    expect(await siteAt(server, elsewhere)).toBe('Alone');
    expect(await siteAt(server, `${elsewhere.toUpperCase()}:443`)).toBe('Alone');
    expect(await siteAt(server, `${elsewhere}:8443`)).toBe(404);
    await site.patch('/site', { domain: 'club.example.org' });
    expect(await siteAt(server, elsewhere)).toBe(404);
    await site.patch('/site', { domain: null });
    expect(await siteAt(server, elsewhere)).toBe('Alone');

    // As soon as there is a second site, no site is shown where operators log in.
    await server.createSite();
    const taken = await site.patch('/site', { domain: elsewhere });
    expect(taken.body.error.code).toBe('site_domain_taken');
    expect(await siteAt(await serverAgain(server, store), elsewhere)).toBe(404);
  });

  test('the gate only handles domains', async () => {
    await site.patch('/site', { domain: null });
    await site.request('PUT', '/access-rules', { body: { rules: [{ path: '/', access: 'public' }] } });
    const request = async (host: string) => {
      const headers = { 'x-forwarded-host': host, 'x-original-uri': '/' };
      return (await visit(server.address, 'GET', '/_gatehouse/auth', { headers })).status;
    };
    expect(await request(here)).toBe(403);
    expect(await request(await aDomain(site))).toBe(204);
    expect(await request(here)).toBe(403);
  });

  test('a host that belongs to no site shows an error page in the visitor’s language', async () => {
    const page = (path: string, language = 'en', method = 'GET') =>
      visit(server.address, method, path, {
        headers: { host: 'nowhere.example', 'accept-language': language },
      });
    for (const [language, heading] of [
      ['en', 'No site at this URL'],
      ['de', 'Keine Website unter dieser URL'],
      ['fr', 'Aucun site à cette URL'],
      ['es', 'No hay ningún sitio en esta URL'],
      ['ja', 'この URL にはサイトがありません'],
    ]) {
      const { status, headers, text } = await page('/_gatehouse/login', language);
      expect(status).toBe(404);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(text).toContain(`<h1>${heading}</h1>`);
      expect(text).toContain('<code>./gatehouse site update &lt;site&gt; --domain &lt;domain&gt;</code>');
      expect(headers['content-security-policy']).toContain('style-src data:;');
      const style = /<link rel="stylesheet" href="data:text\/css;base64,(.*?)">/.exec(text)![1]!;
      expect(Buffer.from(style, 'base64').toString()).toContain('.card');
    }
    expect((await page('/_gatehouse/login', 'en', 'POST')).status).toBe(404);
    expect((await page('/_gatehouse/logo')).status).toBe(404);
  });
});

/** A second server on the same store with empty caches, because the command line creates sites next to the service. */
async function serverAgain(server: TestServer, store: Store): Promise<TestServer> {
  await server.stop();
  return startTestServer(store, {
    databaseUrl: server.databaseUrl,
    settings: { publicUrl: `https://${elsewhere}` },
  });
}
