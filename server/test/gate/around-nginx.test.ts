import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { effort } from '../effort.ts';
import { type Club, clubHost, loggedIn, startClub, targetOf } from './club.ts';
import { configurations, nginx, type RunningProxy } from './proxies.ts';
import { type HeaderLines, type ProxiedSite, Visitor } from './visitor.ts';

const asPage: HeaderLines = [['Accept', 'text/html']];
const app = '    location /app/ {\n';

/** What users set around the lines of the guide: at the level above the server, in it, and for their program. */
interface Surroundings {
  readonly http?: string;
  readonly server?: string;
  readonly program?: string;
}

describe.skipIf(nginx.leftOut())('nginx with more than the lines of the guide', () => {
  let club: Club;
  let uploads: Server;
  beforeAll(async () => {
    club = await startClub();
    uploads = await startUploads();
    await club.setRules({ path: '/', access: 'members' }, { path: '/public', access: 'public' });
  });
  afterAll(async () => {
    uploads?.close();
    await club?.stop();
  });

  async function started<T>(
    { http = '', server = '', program = '' }: Surroundings,
    use: (proxied: ProxiedSite) => Promise<T>,
    appPort = club.upstreams.appPort,
  ): Promise<T> {
    const running: RunningProxy = await nginx.start(
      { ...club.upstreams, appPort },
      (configuration) =>
        `${http}\n${configuration
          .replace(app, `${app}${program}\n`)
          .replace('    # Every request below', `${server}\n    # Every request below`)}`,
    );
    try {
      return await use({ port: running.httpsPort, host: clubHost, certificate: club.certificate });
    } finally {
      await running.stop();
    }
  }

  let members = 0;
  async function aVisitor(proxied: ProxiedSite): Promise<Visitor> {
    members += 1;
    const id = await club.createMember(`member-${members}@example.com`);
    return loggedIn(proxied, await club.linkOf(id));
  }

  async function expectTheGate(proxied: ProxiedSite): Promise<void> {
    const anonymous = new Visitor(proxied);
    const member = await aVisitor(proxied);
    for (const target of ['/members/', '/app/x', '/nothing', '/members/']) {
      const denied = await anonymous.get(target, asPage);
      expect([target, targetOf(denied.headers.get('location'))]).toEqual([
        target,
        `/_gatehouse/login?next=${encodeURIComponent(target)}`,
      ]);
      expect(denied.headers.get('cache-control')).toBe('no-store');
      expect(denied.headers.get('expires')).toBeUndefined();
      expect((await anonymous.get(target, [['Accept', 'application/json']])).status).toBe(401);
    }
    expect((await member.get('/members/')).text).toContain(club.secret);
    const page = await member.get('/app/x');
    expect([page.status, page.headers.get('cache-control')]).toEqual([
      200,
      expect.stringContaining('private'),
    ]);
    expect((await anonymous.get('/members/', asPage)).status).toBe(302);
    const login = await anonymous.get('/_gatehouse/login');
    expect([login.status, login.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect((await anonymous.get('/_gatehouse/nothing', asPage)).text).toContain('</html>');
  }

  test.each([
    [
      'the paths that a program handles itself',
      { server: 'if (!-e $request_filename) { rewrite ^ /public/index.html last; }' },
    ],
    ['an error page for every error of a program', { http: 'proxy_intercept_errors on;' }],
    [
      'a cache that ignores what programs say',
      {
        http: `proxy_cache_path cache keys_zone=pages:1m; proxy_cache pages; proxy_cache_valid any 10m;
        proxy_ignore_headers Cache-Control Expires Vary Set-Cookie;`,
        program: 'proxy_cache off;',
      },
    ],
    ['a time for which browsers may use pages', { http: 'expires 1h;', program: 'expires 1h;' }],
    [
      'a program at another address',
      {
        http: 'proxy_redirect / /elsewhere/; proxy_cookie_path / /app/; proxy_cookie_domain ~. example.net;',
      },
    ],
    [
      'bodies of 1 KiB, limits and no buffers',
      {
        server: 'client_max_body_size 1k; proxy_request_buffering off; proxy_buffering off;',
        http: `limit_req_zone $binary_remote_addr zone=r:1m rate=1000r/s; limit_req zone=r burst=1000;
        limit_conn_zone $binary_remote_addr zone=c:1m; limit_conn c 100;`,
      },
    ],
    ['headers with underscores', { http: 'underscores_in_headers on; ignore_invalid_headers off;' }],
  ] satisfies [string, Surroundings][])('the gate decides with %s', (_, surroundings) =>
    started(surroundings, expectTheGate),
  );

  test('a maintenance page in place of every error does not allow anything while Gatehouse is down', async () => {
    await club.stopGatehouse();
    const running = await nginx.start(club.upstreams, (configuration) =>
      configuration.replace(
        '    error_page 500 502 503 504 =503 @unavailable;\n\n',
        '    error_page 500 502 503 504 =200 /public/index.html;\n\n',
      ),
    );
    const proxied = { port: running.httpsPort, host: clubHost, certificate: club.certificate };
    const { text } = await new Visitor(proxied).get('/members/');
    await running.stop();
    await club.startGatehouse();
    expect(text).not.toContain(club.secret);
  });

  test('what nginx itself denies by its network or by a password is denied, and not sent to its own address again', async () => {
    const program = 'deny all;';
    const [denied, anonymous] = await started({ program }, async (proxied) => [
      await (await aVisitor(proxied)).get('/app/x'),
      await new Visitor(proxied).get('/app/x'),
    ]);
    expect([denied!.status, anonymous!.status]).toEqual([403, 403]);
    const passwords = 'auth_basic "Staff"; auth_basic_user_file /dev/null;';
    for (const surroundings of [{ program: passwords }, { server: passwords }]) {
      const answer = await started(surroundings, (proxied) => new Visitor(proxied).get('/app/x'));
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="Staff"']);
    }
  });

  test('behind a CDN, with the lines of the guide, the address is that of the visitor', async () => {
    const guide = readFileSync(path.join(path.dirname(configurations), 'behind-a-cdn.md'), 'utf8');
    const [, lines = ''] = /```nginx\n([\s\S]*?)```/.exec(guide)!;
    const server = lines.replace('198.51.100.0/24', '127.0.0.2/32');
    const anyOf = [{ access: 'public' as const, networks: ['203.0.113.0/24'] }];
    await club.setRules({ path: '/', access: 'conditional', anyOf });
    await started({ server }, async (proxied) => {
      const statusFrom = async (from: string, chain: string) => {
        const visitor = new Visitor({ ...proxied, from });
        return (await visitor.get('/members/', [...asPage, ['X-Forwarded-For', chain]])).status;
      };
      expect(await statusFrom('127.0.0.2', '203.0.113.7')).toBe(200);
      expect(await statusFrom('127.0.0.2', '192.0.2.1, 203.0.113.7')).toBe(200);
      // A visitor writes what stands before the last address, and past the CDN all of it.
      expect(await statusFrom('127.0.0.2', '203.0.113.7, 192.0.2.1')).toBe(403);
      expect(await statusFrom('127.0.0.3', '203.0.113.7')).toBe(403);
    });
    await club.setRules({ path: '/', access: 'members' }, { path: '/public', access: 'public' });
  });

  test('an upload arrives whole, and leads to the login page without a session', async () => {
    const { port } = uploads.address() as AddressInfo;
    const program = `client_max_body_size ${effort.uploadedBytes};`;
    await started(
      { program },
      async (proxied) => {
        const member = await aVisitor(proxied);
        const sent = { bytes: effort.uploadedBytes, cookie: member.cookieHeader };
        expect(await upload(proxied, sent)).toMatch(/^HTTP\/1\.1 200[\s\S]*got \d+/);
        expect(await upload(proxied, sent)).toContain(`got ${effort.uploadedBytes}`);
        const tooLarge = await upload(proxied, {
          ...sent,
          bytes: effort.uploadedBytes + 1,
          unsent: effort.uploadedBytes,
        });
        expect(tooLarge).toMatch(/^HTTP\/1\.1 413/);
        for (const chunked of [false, true]) {
          const anonymous = await upload(proxied, { bytes: effort.uploadedBytes, cookie: '', chunked });
          expect(anonymous).toMatch(/^HTTP\/1\.1 302[\s\S]*location: \S*\/_gatehouse\/login/i);
          // No one has to send a body, and nothing stores one, before the answer.
          const early = await upload(proxied, { bytes: 3_000_000, unsent: 2_900_000, cookie: '', chunked });
          expect(early).toMatch(/^HTTP\/1\.1 302/);
        }
      },
      port,
    );
  });

  test('uploads of any size are for programs, and not for the login pages', () =>
    started({ server: 'client_max_body_size 0;' }, async (proxied) => {
      const sent = { bytes: 3_000_000, unsent: 2_900_000, cookie: '', path: '/_gatehouse/login' };
      expect(await upload(proxied, sent)).toMatch(/^HTTP\/1\.1 413/);
    }));
});

/** A program that says how many bytes it has received. */
async function startUploads(): Promise<Server> {
  const server = createServer((request, response) => {
    let bytes = 0;
    request.on('data', (data: Buffer) => {
      bytes += data.length;
    });
    request.on('end', () => response.end(`got ${bytes}`));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

interface Upload {
  readonly bytes: number;
  /** How many bytes at the end are declared and not sent. */
  readonly unsent?: number;
  readonly cookie: string;
  readonly chunked?: boolean;
  readonly path?: string;
}

/** Sends a body, and returns the response. */
async function upload(
  proxied: ProxiedSite,
  { bytes, unsent = 0, cookie, chunked = false, path: target = '/app/up' }: Upload,
): Promise<string> {
  const socket = connect({
    port: proxied.port,
    host: '127.0.0.1',
    servername: proxied.host,
    ca: proxied.certificate,
  });
  await once(socket, 'secureConnect');
  let text = '';
  const answered = new Promise<string>((resolve) => {
    const done = () => resolve(text);
    socket.setEncoding('latin1').on('data', (data) => {
      text += data;
      if (text.includes('\r\n\r\n') && !/^HTTP\/1\.1 200/.test(text)) done();
    });
    socket.on('error', done).on('close', done);
  });
  const framing = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes}`;
  socket.write(
    `POST ${target} HTTP/1.1\r\nHost: ${proxied.host}\r\nAccept: text/html\r\nConnection: close\r\nCookie: ${cookie}\r\n${framing}\r\n\r\n`,
  );
  const piece = Buffer.alloc(64 * 1024);
  let isOver = false;
  void answered.then(() => {
    isOver = true;
  });
  for (let left = bytes - unsent; left > 0 && !isOver; left -= piece.length) {
    const data = piece.subarray(0, Math.min(left, piece.length));
    if (chunked) socket.write(`${data.length.toString(16)}\r\n`);
    const goesOn = socket.write(data);
    if (chunked) socket.write('\r\n');
    if (!goesOn) await Promise.race([once(socket, 'drain').catch(() => {}), answered]);
  }
  if (chunked && unsent === 0 && !isOver) socket.write('0\r\n\r\n');
  await answered;
  socket.destroy();
  return text;
}
