import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createConnection } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { knownForwardingHeaders, knownIdentityHeaders } from '../../../../contract/test/forwarding-names.ts';
import { type BuiltInSite, siteHost, startBuiltInSite } from '../../../test/built-in-site.ts';
import { type HeaderLines, sendBytes } from '../../../test/gate/visitor.ts';
import { forOneStore } from '../../../test/stores.ts';

const asPage: HeaderLines = [['Accept', 'text/html']];
const forged = 'forged-by-the-visitor';

forOneStore((store) => {
  let handler: RequestListener;
  let app: Server;
  let built: BuiltInSite;
  const echo: RequestListener = (request, response) =>
    void response.end(JSON.stringify({ url: request.url, headers: request.headers }));

  beforeAll(async () => {
    app = createServer((request, response) => handler(request, response));
    app.listen(0, '127.0.0.1');
    await once(app, 'listening');
    const siteUpstream = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
    built = await startBuiltInSite(store, { siteUpstream, requestTimeoutSeconds: 1 });
    await built.setRules(
      { path: '/', access: 'members' },
      { path: '/public', access: 'public' },
      { path: '/page', appliesTo: 'page', access: 'public' },
      { path: '/feed', access: 'members', acceptsTokenInUrl: true },
      { path: '/form', access: 'members' },
      { path: '/form', appliesTo: 'page', access: 'members', acceptsTokenInUrl: true },
    );
  });
  afterAll(() => {
    app.closeAllConnections();
    app.close();
  });

  async function aToken(): Promise<string> {
    const { id } = await built.memberWith();
    return (await built.api('POST', `/members/${id}/access-tokens`, { name: 'Reader' })).body.data.secret;
  }

  test('the program does not see where a visitor claims to come from, or who somebody else says it is', async () => {
    handler = echo;
    const names = [
      ...knownForwardingHeaders,
      ...knownIdentityHeaders,
      'SCRIPT_NAME',
      'Script-Name',
      'PATH_INFO',
      'Path-Info',
      'Daphne-Root-Path',
      'X-Script-Name',
      'X-Original-URL',
      'X_Original_URL',
      'X.Original.URL',
      'X-Rewrite-URL',
      'X_Rewrite_URL',
      'X-Real-IP',
      'Client-IP',
      'True-Client-IP',
      'CF-Connecting-IP',
      'X-Client-IP',
      'X-Cluster-Client-IP',
      'X-Host',
      'X-Forwarded',
      'X-Forwarded-Prefix',
      'X_Forwarded_For',
      'X.HTTP.Method.Override',
      'X!HTTP!Method',
      'Forwarded-For',
      'Fastly-Client-IP',
      'X-Appengine-User-IP',
      'Cf-Pseudo-IPv4',
      'X-Originating-IP',
      'X-Remote-IP',
      'X-Remote-Addr',
      'Remote-Addr',
      'WL-Proxy-Client-IP',
      'Proxy-Client-IP',
      'X-Envoy-Original-Path',
      'X-Envoy-External-Address',
      'X-Original-Host',
      'X-HTTP-Host-Override',
      'X-Forward-For',
      'X-ProxyUser-Ip',
      'X-Azure-ClientIP',
      'X-Matched-Path',
      'X-Scheme',
      'X-URL-Scheme',
      'Front-End-Https',
      'X-ARR-SSL',
      'X-SSL-Client-Verify',
      'SSL-Client-Cert',
      'Cloudfront-Forwarded-Proto',
      'X-Middleware-Subrequest',
      'Remote-Credential',
      'X-Remote-User',
      'X-WebAuth-User',
      'X-Auth-Request-User',
      'X-MS-Client-Principal-Name',
      'Tailscale-User-Login',
    ];
    for (const name of names) {
      const { text } = await built.anonymous().get('/public/x', [[name, forged]]);
      expect([name, text.includes('/public/x'), text.includes(forged)]).toEqual([name, true, false]);
    }
  });

  test('the program sees the headers that it needs from a visitor', async () => {
    handler = echo;
    const names = [
      'X-Requested-With',
      'X-CSRF-Token',
      'X-XSRF-Token',
      'X-Original-Filename',
      'X-File-Path',
      'X-API-Key',
      'Authorization',
      'Destination',
      'Depth',
      'Upload-Offset',
      'Tus-Resumable',
      'HX-Current-URL',
      'Turbo-Frame',
      'X-Nextjs-Data',
      'Next-Action',
      'RSC',
      'X-Inertia',
      'X-WP-Nonce',
      'OCS-APIRequest',
      'X-Amz-Date',
      'Range',
    ];
    const sent = names.map((name) => [name, `value-of-${name}`] as const);
    const { text } = await built.anonymous().get('/public/x', sent);
    for (const [name, value] of sent) expect([name, text.includes(value)]).toEqual([name, true]);
  });

  test.each(['X-HTTP_Method-Override', 'X_HTTP-METHOD', 'X.Method.Override', 'Sec_WebSocket_Key'])(
    'a public page is not public with %s',
    async (name) => {
      handler = echo;
      expect((await built.anonymous().get('/page', asPage)).status).toBe(200);
      expect((await built.anonymous().get('/page', [[name, 'DELETE'], ...asPage])).status).toBe(302);
    },
  );

  test('no access token reaches the program', async () => {
    handler = echo;
    const token = await aToken();
    const bearer = ['Authorization', `Bearer ${token}`] as const;
    const requests: [string, HeaderLines][] = [
      [`/public/x?access_token=${token}`, []],
      [`/feed/x?a=1&access_token=${token}`, []],
      [`/feed/x?access_token=${token}`, [bearer]],
      ['/public/x.png', [['Referer', `http://${siteHost}/feed/page?access_token=${token}`]]],
      ['/feed/x', [bearer, ['Authorization', 'Basic YTpi']]],
    ];
    for (const [target, headers] of requests) {
      const { status, text } = await built.anonymous().get(target, headers);
      expect([target, status, text.includes(token)]).toEqual([target, 200, false]);
    }
    handler = echo;
    const other = await built.anonymous().get('/public/x?access_token=own&a=1', []);
    expect(other.text).toContain('access_token=own&a=1');
  });

  test('a feed for one page accepts a token in the query only for this page', async () => {
    handler = echo;
    const token = await aToken();
    const target = `/form?access_token=${token}`;
    expect((await built.anonymous().get(target)).status).toBe(200);
    const other = await built.anonymous().get(`/form?x=delete&access_token=${token}`);
    expect(other.status).toBe(302);
    expect((await built.anonymous().request('POST', target, { body: 'a=b' })).status).toBe(302);
  });

  test('a cookie whose name begins with another space is not the session', async () => {
    handler = echo;
    const { visitor } = await built.memberWith();
    const head = `GET /x HTTP/1.1\r\nHost: ${siteHost}\r\nAccept: text/html\r\nConnection: close\r\n`;
    const answerTo = (space: string) =>
      sendBytes(built.site, Buffer.from(`${head}Cookie:${space}${visitor.cookieHeader}\r\n\r\n`, 'latin1'));
    expect(await answerTo(' \t')).toMatch(/^HTTP\/1\.1 200/);
    for (const space of ['\u00a0', ' \u00a0', '\v', '\f', '\u0085'])
      expect([space, await answerTo(space)]).toEqual([
        space,
        expect.stringMatching(/^HTTP\/1\.1 (?:302|400)/),
      ]);
  });

  test('the program cannot set a cookie of Gatehouse, also not as one without a name', async () => {
    const cookies = [
      '=gatehouse_session=a',
      ' = gatehouse_session=b',
      'gatehouse_session =c',
      '\tgatehouse_session=d',
    ];
    handler = (_, response) => void response.setHeader('set-cookie', [...cookies, 'own=1']).end();
    const answer = await sendBytes(
      built.site,
      `GET /public/x HTTP/1.1\r\nHost: ${siteHost}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer.match(/^set-cookie: .*$/gim)).toEqual(['set-cookie: own=1']);
  });

  test('a request that may change something is not sent twice', async () => {
    let posts = 0;
    handler = (request, response) => {
      if (request.method !== 'POST') return void response.end('ok');
      posts += 1;
      request.socket.resetAndDestroy();
    };
    // The connection is used again.
    for (let count = 0; count < 3; count += 1) await built.anonymous().get('/public/x');
    const { status } = await built.anonymous().request('POST', '/public/pay', { body: '' });
    expect([posts, status]).toEqual([1, 502]);
  });

  test.each(['/x', '/_gatehouse/login'])(
    'a visitor without access cannot send slowly to %s',
    async (target) => {
      const socket = createConnection(built.site.port, '127.0.0.1');
      const form = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 5000\r\n\r\n';
      socket.on('error', () => {}).resume();
      socket.write(`POST ${target} HTTP/1.1\r\nHost: ${siteHost}\r\n${form}`);
      const timer = setInterval(() => socket.write('a'), 100);
      await new Promise((resolve) => socket.once('close', resolve));
      clearInterval(timer);
    },
  );

  test('a program that changes the protocol of a plain request is reported to the visitor', async () => {
    const head = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';
    handler = (request) => void request.socket.write(head);
    expect((await built.anonymous().get('/public/x')).status).toBe(502);
  });
});
