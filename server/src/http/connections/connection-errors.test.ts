import { createConnection } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { type BuiltInSite, folderOfTests, siteHost, startBuiltInSite } from '../../../test/built-in-site.ts';
import { forOneStore } from '../../../test/stores.ts';

const cookies = `Cookie: own=${'a'.repeat(20_000)}`;

forOneStore((store) => {
  let built: BuiltInSite;
  let apiPort: number;
  beforeAll(async () => {
    const settings = { siteFolder: folderOfTests(), trustedProxies: ['127.0.0.9'], requestTimeoutSeconds: 1 };
    built = await startBuiltInSite(store, settings);
    apiPort = Number(new URL(built.server.address).port);
    await built.api('PATCH', '/site', { title: 'Ruderclub', languages: ['fr', 'de'] });
  });
  const onSite = (...pieces: string[]) => answerTo(built.site.port, pieces);
  const onApi = (...pieces: string[]) => answerTo(apiPort, pieces);
  const head = (start: string, ...lines: string[]) =>
    `${start} HTTP/1.1\r\n${[`Host: ${siteHost}`, ...lines].join('\r\n')}\r\n\r\n`;

  test('a visitor whose cookies are too large gets a page that says what to do', async () => {
    const { status, headers, body } = await onSite(head('GET /', cookies));
    expect([status, headers.get('connection')]).toEqual([431, 'close']);
    expect(Number(headers.get('content-length'))).toBe(Buffer.byteLength(body, 'latin1'));
    const { headers: others } = await built.anonymous().get('/_gatehouse/login');
    for (const name of [
      'cache-control',
      'content-type',
      'x-content-type-options',
      'referrer-policy',
      'x-robots-tag',
    ])
      expect([name, headers.get(name)]).toEqual([name, others.get(name)]);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src data:;/);
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    const page = Buffer.from(body, 'latin1').toString('utf8');
    expect(page).toContain('<html lang="fr"');
    expect(page).toContain('Supprimez les cookies');
    expect(page).toContain('Ruderclub');
    // Whatever it loads or links to would be rejected again.
    expect(page.match(/(?:href|src|action)="(?!data:)[^"]*"/g)).toBeNull();
  });

  test('the page is in the language of the visitor', async () => {
    const { body } = await onSite(head('GET /', 'Accept-Language: de-AT,en;q=0.5', cookies));
    expect(body).toContain('<html lang="de"');
    for (const [language, word] of [
      ['en', 'Delete the cookies'],
      ['es', 'Borra las cookies'],
    ]) {
      const answer = await onApi(head('GET /_gatehouse/login', `Accept-Language: ${language}`, cookies));
      expect(answer.body).toContain(word);
    }
  });

  test('it is a page also where the request line came earlier than the rest', async () => {
    const [start, rest] = ['GET /_gatehouse/login HTTP/1.1\r\nHost: x\r\n', `${cookies}\r\n\r\n`];
    expect(await onSite(start, rest)).toMatchObject({
      status: 431,
      body: expect.stringContaining('</html>'),
    });
    // A proxy sends large headers in pieces.
    const behindProxy = await answerTo(apiPort, [start, rest], '127.0.0.9');
    expect(behindProxy).toMatchObject({ status: 431, body: expect.stringContaining('</html>') });
    expect((await onApi(start, rest)).headers.get('content-type')).toContain('json');
  });

  test.each([
    '/_gatehouse/login',
    '/_gatehouse/forward-auth?x=1',
    '/dashboard',
    '/dashboard/?x=1',
    '/dashboard/login',
  ])('a person gets a page at %s', async (target) => {
    const { status, body } = await onApi(head(`GET ${target}`, cookies));
    expect([status, body.includes('</html>')]).toEqual([431, true]);
  });

  test.each(['/', '/api/v1/site', '/dashboard/api/me', '/hooks/x', '/healthz', '/_gatehouse', '/dashboardx'])(
    'a program gets an error response with its four headers at %s',
    async (target) => {
      for (const from of ['127.0.0.1', '127.0.0.9']) {
        const { status, headers, body } = await answerTo(apiPort, [head(`GET ${target}`, cookies)], from);
        expect([status, JSON.parse(body)]).toMatchObject([431, { error: { code: 'headers_too_large' } }]);
        for (const name of ['limit', 'remaining', 'reset'].map((part) => `x-ratelimit-${part}`))
          expect([name, headers.get(name)]).toEqual([name, expect.stringMatching(/^\d+$/)]);
        expect(headers.get('x-request-id')).toBe(JSON.parse(body).error.requestId);
      }
    },
  );

  test('what cannot be read or comes too slowly is a page for visitors and an error response for programs', async () => {
    const slow = await onSite(`GET / HTTP/1.1\r\nHost: ${siteHost}\r\n`);
    expect([slow.status, slow.body.includes('</html>')]).toEqual([408, true]);
    const slowApi = await onApi(head('POST /api/v1/members', 'Content-Length: 100'), '{');
    expect([slowApi.status, slowApi.headers.get('content-type')]).toEqual([
      expect.any(Number),
      expect.stringContaining('json'),
    ]);
    const broken = 'X-A: a\0b';
    expect(await onSite(head('GET /', broken))).toMatchObject({
      status: 400,
      body: expect.stringContaining('</html>'),
    });
    for (const port of [built.site.port, apiPort]) {
      const unreadable = await answerTo(port, [head('GET /_gatehouse/%E0%A4%A', 'Connection: close')]);
      expect([unreadable.status, unreadable.body.includes('</html>')]).toEqual([400, true]);
    }
    expect((await onApi(head('GET /api/v1/site', broken))).headers.get('content-type')).toContain('json');
  });
});

interface Received {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Sends the pieces one after the other, and returns what has arrived at the end of the connection. */
async function answerTo(port: number, pieces: readonly string[], from = '127.0.0.1'): Promise<Received> {
  const socket = createConnection({ port, host: '127.0.0.1', localAddress: from, noDelay: true });
  let text = '';
  socket.setEncoding('latin1').on('data', (data) => {
    text += data;
  });
  const ended = new Promise<void>((resolve) => {
    socket.on('end', resolve).on('error', () => resolve());
  });
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await setTimeout(50);
    socket.write(piece);
  }
  await ended;
  socket.destroy();
  const [start = '', body = ''] = text.split(/\r\n\r\n([\s\S]*)/);
  const [first = '', ...lines] = start.split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status: Number(first.split(' ')[1]), headers: new Map(headers), body };
}
