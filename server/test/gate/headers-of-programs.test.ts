import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { knownForwardingHeaders, knownIdentityHeaders } from '../../../contract/test/forwarding-names.ts';
import { cookiePrefixes, ownCookieNames } from '../../src/http/shared/credentials/cookie-names.ts';
import { type Club, clubHost, type Echo, startClub } from './club.ts';
import { cookieTricks, faultsOfCookies } from './cookie-tricks.ts';
import { caddy, configurations, nginx, type ProxyProgram, type RunningProxy } from './proxies.ts';
import { type HeaderLines, type ProxiedSite, sendOverHttp2, Visitor } from './visitor.ts';

const echoPath = '/app/public';

test('every guide that has a proxy remove cookies names the same ones, which are all of Gatehouse', () => {
  const all = `(?:${cookiePrefixes.join('|')})?gatehouse_(?:${ownCookieNames.map((name) => name.replace(/^gatehouse_/, '')).join('|')})`;
  const files = [path.dirname(configurations), configurations].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /\.md$|conf$|file$|yml$/.test(name))
      .map((name) => ({ name, text: readFileSync(path.join(folder, name), 'utf8') })),
  );
  const listing = files.filter(({ text }) => text.includes('gatehouse_('));
  expect(listing.map(({ name }) => name).sort()).toEqual(['Caddyfile', 'caddy.md', 'nginx.conf', 'nginx.md']);
  for (const { name, text } of listing) {
    const lists = text.match(/\(\?:[_\w|-]*\)\?gatehouse_\([^)]*\)/g);
    expect([name, lists]).toEqual([name, [all]]);
  }
});

for (const proxy of [nginx, caddy]) {
  describe.skipIf(proxy.leftOut())(`a program behind ${proxy.name}`, () => {
    const site = useSite(proxy);

    test('receives its own cookies and none of Gatehouse, whatever other cookies a page has set', async () => {
      const faults: unknown[] = [];
      for (const trick of cookieTricks()) {
        const lines = trick.lines.map((line): [string, string] => ['Cookie', line]);
        faults.push(
          ...faultsOfCookies(trick, await site.cookiesOf(lines)).map((fault) => [trick.note, fault]),
        );
      }
      expect(faults).toEqual([]);
    });

    test('nor does it over HTTP/2, where each cookie may be a header of its own', async () => {
      const faults: unknown[] = [];
      for (const trick of cookieTricks()) {
        const cookies = trick.lines.flatMap((line) => line.split('; ')).map((cookie) => cookie.trim());
        const text = await sendOverHttp2(site.proxied, {
          ':method': 'GET',
          ':path': echoPath,
          ':authority': clubHost,
          ':scheme': 'https',
          cookie: cookies,
        });
        const received = cookiesIn(JSON.parse(text) as Echo);
        faults.push(...faultsOfCookies(trick, received).map((fault) => [trick.note, fault]));
      }
      expect(faults).toEqual([]);
    });

    test('receives no access token of a member, and all other credentials', async () => {
      const { token, get } = await site.member();
      const referer = (query: string) => `https://${clubHost}/feed?${query}`;
      const ofProgram = 'Bearer of-the-program';
      const seen = async (target: string, headers: Record<string, string>) => {
        const { text } = await get(target, Object.entries({ 'Remote-Credential': 'forged', ...headers }));
        const echo = JSON.parse(text) as Echo;
        const found = echo.headers.map(([name, value]) => [name.toLowerCase(), value] as const);
        return Object.fromEntries(
          found.filter(([name]) => /^(?:authorization|referer|remote-credential)$/.test(name)),
        );
      };
      expect(await seen(echoPath, { Authorization: ofProgram, Referer: referer('page=2') })).toEqual({
        authorization: ofProgram,
        referer: referer('page=2'),
      });
      for (const query of [`access_token=${token}`, `page=2&access_token=${token}&x=1`]) {
        expect(await seen(echoPath, { Referer: referer(query) })).toEqual({});
      }
      expect(await seen(echoPath, { Authorization: `Bearer ${token}` })).toEqual({});
      // A token in the address says nothing about the credential in the header.
      const target = `/app/feed?access_token=${token}`;
      expect(await seen(target, { Authorization: ofProgram })).toEqual({ authorization: ofProgram });
    });

    test('does not see where a visitor claims to come from, or who somebody else says it is', async () => {
      let reached = 0;
      for (const names of inGroups([...knownForwardingHeaders, ...knownIdentityHeaders])) {
        const answers = names.map((name) => new Visitor(site.proxied).get(echoPath, spellings(name)));
        for (const [index, { status, text }] of (await Promise.all(answers)).entries()) {
          expect([names[index], text.includes('forged')]).toEqual([names[index], false]);
          if (status === 200) reached += 1;
        }
      }
      // The gate itself denies requests with another path in a header.
      expect(reached).toBeGreaterThan(100);
    });

    test('sees the headers that it needs from a visitor', async () => {
      const names =
        'X-Requested-With X-CSRF-Token X-API-Key X-WP-Nonce X-File-Name Destination Depth Tus-Resumable Range';
      const headers = names.split(' ').map((name): [string, string] => [name, `value-of-${name}`]);
      const { text } = await new Visitor(site.proxied).get(echoPath, headers);
      for (const [name, value] of headers) expect([name, text.includes(value)]).toEqual([name, true]);
    });

    test('cannot set a cookie of Gatehouse', async () => {
      const { cookies } = await new Visitor(site.proxied).get('/app/public/cookies');
      expect(cookies).toContain('own=1; Path=/; Secure');
      // Browsers reject such a cookie without Secure, whatever its case (RFC 6265bis, section 5.7).
      const accepted = cookies.filter(
        (cookie) => /^__host-gatehouse/i.test(cookie) && /; *secure/i.test(cookie),
      );
      expect(accepted).toEqual([]);
    });

    test('cannot claim the pages of Gatehouse for its service workers', async () => {
      const { status, headers } = await new Visitor(site.proxied).get(echoPath);
      expect([status, headers.get('service-worker-allowed')]).toEqual([200, undefined]);
    });

    test('receives all its cookies where there are many, and none of Gatehouse', async () => {
      const many = Array.from({ length: 180 }, (_, index) => `cookie-${index}=${'x'.repeat(20)}`);
      const cookies = await site.cookiesOf([
        ['Cookie', [...many, '__Host-gatehouse_session=secret'].join('; ')],
      ]);
      expect(cookies.join('; ').replace(/; *$/, '')).toBe(many.join('; '));
    });
  });
}

describe.skipIf(nginx.leftOut())('behind nginx, when Gatehouse closes connections that nginx keeps', () => {
  let closing: ClosingRelay;
  const site = useSite(nginx, async (port) => {
    closing = await closeAtNextUse(port);
    return closing.port;
  });
  afterAll(() => closing?.stop());

  test('the program receives no cookie of Gatehouse after a check that nginx has repeated', async () => {
    for (let times = 0; times < 20; times += 1) {
      const cookies = await site.cookiesOf([['Cookie', 'first=1; __Host-gatehouse_session=secret']]);
      expect(cookies.join('; ')).toMatch(/^first=1;? *$/);
    }
    expect(closing.closed).toBeGreaterThan(5);
  });

  test('a folder without an index is denied by nginx itself, and not sent to its own address again', async () => {
    const before = closing.closed;
    const statuses: number[] = [];
    for (let times = 0; times < 4; times += 1)
      statuses.push((await new Visitor(site.proxied).get('/empty/')).status);
    expect(statuses).toEqual([403, 403, 403, 403]);
    expect(closing.closed).toBeGreaterThan(before);
  });
});

describe.skipIf(nginx.leftOut())('PHP behind nginx, with the lines of the guide', () => {
  let php: Server;
  const received: string[] = [];
  const guide = readFileSync(path.join(path.dirname(configurations), 'nginx.md'), 'utf8');
  const [, location = ''] = /```nginx\n(location ~ [\s\S]*?)```/.exec(guide)!;
  beforeAll(async () => {
    php = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', (data) => {
        received.push(data.toString('latin1'));
        socket.end(fastCgiAnswer());
      });
    }).listen(0, '127.0.0.1');
    await once(php, 'listening');
  });
  const site = useSite({
    ...nginx,
    start: (upstreams) => {
      const port = (php.address() as AddressInfo).port;
      const ofTests = location
        .replace('unix:/run/php/php-fpm.sock', `127.0.0.1:${port}`)
        .replace('    try_files $uri =404;\n', '')
        .replace('include fastcgi_params;', 'fastcgi_param REQUEST_METHOD $request_method;');
      return nginx.start(upstreams, (text) =>
        text.replace('    # A program that', `${ofTests}\n    # A program that`),
      );
    },
  });
  afterAll(() => php?.close());

  test('PHP receives what any other program receives', async () => {
    const { token, get } = await site.member();
    for (const trick of cookieTricks()) {
      await get(
        '/x.php',
        trick.lines.map((line): [string, string] => ['Cookie', line]),
      );
      expect([trick.note, received.pop()]).toEqual([
        trick.note,
        expect.not.stringContaining('value-of-gatehouse'),
      ]);
    }
    await get('/x.php', [
      ['Authorization', `Bearer ${token}`],
      ['Referer', `https://${clubHost}/feed?access_token=${token}`],
      ['Cookie', 'first=1; __Host-gatehouse_session=value-of-gatehouse'],
      ['Remote-Credential', 'forged'],
      ['Remote-User', 'forged'],
      ['Proxy', 'forged'],
    ]);
    for (const name of [...knownForwardingHeaders, ...knownIdentityHeaders])
      await get('/x.php', spellings(name));
    expect(received.filter((each) => each.includes('forged'))).toEqual([]);
    const seen = received.find((each) => each.includes('HTTP_COOKIEfirst=1'))!;
    expect(seen).toMatch(/HTTP_REMOTE_USER[0-9a-f-]{36}/);
    for (const hidden of [token, 'forged', 'value-of-gatehouse']) expect(seen).not.toContain(hidden);
  });

  test('no cache in between stores what PHP shows to a member', async () => {
    const { token, get } = await site.member();
    const caching = async (headers: HeaderLines) => {
      const answer = await get('/x.php', headers);
      return ['cache-control', 'surrogate-control', 'vary'].map((name) => answer.headers.get(name));
    };
    expect(await caching([])).toEqual(['public, max-age=3600', undefined, 'Cookie']);
    expect(await caching([['Authorization', `Bearer ${token}`]])).toEqual([
      expect.stringMatching(/^(?!.*public).*\bprivate\b/),
      undefined,
      'Cookie',
    ]);
  });
});

const requestsAtOnce = 8;

function inGroups(names: readonly string[]): string[][] {
  const groups = Array.from({ length: Math.ceil(names.length / requestsAtOnce) }, (_, index) => index);
  return groups.map((index) => names.slice(index * requestsAtOnce, (index + 1) * requestsAtOnce));
}

/** A header as it is named, and as programs read it as the same. */
function spellings(name: string): HeaderLines {
  return [..."-_!#$%&'*+.^`|~"].map((sign) => [name.replaceAll('-', sign), 'forged'] as const);
}

interface Site {
  readonly proxied: ProxiedSite;
  /** A member with an access token, and requests of anyone. */
  member(): Promise<{ token: string; get: Visitor['get'] }>;
  /** The `Cookie` headers that the program receives. */
  cookiesOf(headers: HeaderLines): Promise<string[]>;
}

/** A site with a public program behind a proxy. @param between returns the port at which the proxy reaches Gatehouse */
function useSite(proxy: ProxyProgram, between = async (port: number) => port): Site {
  let club: Club;
  let running: RunningProxy;
  let proxied: ProxiedSite;
  let members = 0;
  beforeAll(async () => {
    club = await startClub();
    const gatehousePort = await between(club.upstreams.gatehousePort);
    running = await proxy.start({ ...club.upstreams, gatehousePort });
    proxied = { port: running.httpsPort, host: clubHost, certificate: club.certificate };
    await club.setRules(
      { path: '/', access: 'public' },
      { path: '/app/feed', access: 'members', acceptsTokenInUrl: true },
    );
  });
  afterAll(async () => {
    await running?.stop();
    await club?.stop();
  });
  return {
    get proxied() {
      return proxied;
    },
    async member() {
      members += 1;
      const id = await club.createMember(`member-${members}@example.com`);
      const { body } = await club.api('POST', `/members/${id}/access-tokens`, { name: 'Reader' });
      const visitor = new Visitor(proxied);
      return { token: body.data.secret, get: (target, headers) => visitor.get(target, headers) };
    },
    async cookiesOf(headers) {
      const { text } = await new Visitor(proxied).get(echoPath, headers);
      return cookiesIn(JSON.parse(text) as Echo);
    },
  };
}

function cookiesIn({ headers }: Echo): string[] {
  return headers.filter(([name]) => /^cookie$/i.test(name)).map(([, value]) => value);
}

/** A response in the form of FastCGI, for all caches: one record with it, and one that ends the request. */
function fastCgiAnswer(): Buffer {
  const record = (type: number, content: Buffer) =>
    Buffer.concat([Buffer.from([1, type, 0, 1, content.length >> 8, content.length & 255, 0, 0]), content]);
  const [standardOutput, endOfRequest] = [6, 3];
  const caching = 'Cache-Control: public, max-age=3600\r\nSurrogate-Control: max-age=3600\r\n';
  const text = Buffer.from(`Status: 200 OK\r\nContent-Type: text/plain\r\n${caching}\r\n`);
  return Buffer.concat([record(standardOutput, text), record(endOfRequest, Buffer.alloc(8))]);
}

interface ClosingRelay {
  readonly port: number;
  /** How many connections it has closed at their second request. */
  readonly closed: number;
  stop(): void;
}

/** Passes one request of each connection on, and closes the connection at the next one. */
async function closeAtNextUse(port: number): Promise<ClosingRelay> {
  const sockets = new Set<Socket>();
  let closed = 0;
  const relay: Server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    let isAnswered = false;
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        near.destroy();
        far.destroy();
      });
    }
    near.on('data', (data) => {
      if (!isAnswered) return void far.write(data);
      closed += 1;
      near.destroy();
    });
    far.on('data', (data) => {
      isAnswered = true;
      near.write(data);
    });
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  return {
    port: (relay.address() as AddressInfo).port,
    get closed() {
      return closed;
    },
    stop() {
      for (const socket of sockets) socket.destroy();
      relay.close();
    },
  };
}
