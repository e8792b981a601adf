import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { expectError, expectResponse } from '../contract/answers.ts';
import { forOneStore } from '../stores.ts';
import type { TestResponse } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';
import { RawConnection, requestText, sendRaw } from './raw-connection.ts';

const json = { 'content-type': 'application/json' };
const member = JSON.stringify({ email: 'smuggled@example.com' });

forOneStore((store) => {
  if (store.dialect !== 'sqlite') return test.skip('the store is not involved, so one is enough');
  const server = useTestServer(store);
  const withKey = async () => {
    const site = await server.createSite();
    return { site, auth: { authorization: `Bearer ${site.key}` } };
  };

  describe('a header value', () => {
    test.each([
      ['NUL', 'a\0b'],
      ['a bare CR', 'a\rx-forged: 1'],
      ['a bare LF', 'a\nx-forged: 1'],
      ['a folded line', 'a\r\n x-forged: 1'],
    ])('with %s is rejected, and cannot inject a header', async (_, value) => {
      const { auth } = await withKey();
      for (const name of ['x-request-id', 'idempotency-key', 'if-match', 'x-forwarded-for']) {
        const request = requestText('GET /api/v1/site', { ...auth, [name]: value });
        const answer = await sendRaw(server.address, request);
        expectError(answer!, 400, 'invalid_request');
        expect(answer!.headers.has('x-forged')).toBe(false);
      }
    });

    test('of Host or X-Forwarded-Host never appears in a link', async () => {
      const { site, auth } = await withKey();
      const forged = {
        ...auth,
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'ftp',
      };
      for (const email of ['a@example.com', 'b@example.com']) {
        const body = JSON.stringify({ email });
        const headers = { ...forged, ...json, 'content-length': String(body.length) };
        const answer = await sendRaw(server.address, requestText('POST /api/v1/members', headers, body));
        expectResponse('createMember', answer!, 201);
        expect(answer!.headers.get('location')).not.toContain('evil');
      }
      const list = await sendRaw(server.address, requestText('GET /api/v1/members?limit=1', forged));
      expectResponse('listMembers', list!, 200);
      expect(list!.headers.get('link')).not.toContain('evil');
      expect((await site.get('/members')).body.data).toHaveLength(2);
    });
  });

  test('percent-encoded line breaks cannot inject a header', async () => {
    const { auth } = await withKey();
    for (const path of [
      'members?q=%0d%0ax-forged:1',
      'members?after=%0d%0ax-forged:1',
      'members/%0d%0ax-forged:1',
      '%0d%0ax-forged:1',
    ]) {
      const answer = await sendRaw(server.address, requestText(`GET /api/v1/${path}`, auth));
      expect([400, 404]).toContain(answer!.status);
      expectError(answer!, answer!.status, answer!.body.error.code);
      expect(answer!.headers.has('x-forged')).toBe(false);
    }
  });

  test.each([
    ['5,000 headers', () => 'a: b\r\n'.repeat(5_000)],
    ['a header of 100 KiB', () => `x: ${'y'.repeat(102_400)}\r\n`],
    ['a header name of 100 KiB', () => `${'y'.repeat(102_400)}: x\r\n`],
    ['a key of 100 KiB', () => `authorization: Bearer ${'g'.repeat(102_400)}\r\n`],
  ])('%s are too large', async (_, headers) => {
    const answer = await sendRaw(server.address, `GET /api/v1/site HTTP/1.1\r\nhost: x\r\n${headers()}\r\n`);
    expectError(answer!, 431, 'headers_too_large');
    expect(answer!.headers.get('connection')).toBe('close');
  });

  test.each([
    ['10,000 query parameters', `members?${'a=1&'.repeat(10_000)}`, 431],
    ['10,000 parameters of one letter', `members?${'a&'.repeat(10_000)}`, 431],
    ['5,000 parameters of one letter', `members?${'a&'.repeat(5_000)}`, 400],
    [
      '3,000 different parameters',
      `members?${Array.from({ length: 3_000 }, (_, index) => `${index}&`).join('')}`,
      400,
    ],
    ['a parameter given 1,000 times', `members?${'limit=1&'.repeat(1_000)}`, 400],
    ['an overlong ID', `members/${'a'.repeat(15_000)}`, 400],
    ['a path of 200 KB', `members/${'a'.repeat(200_000)}`, 431],
    ['a path of 7,000 slashes', `members${'/'.repeat(7_000)}`, 404],
    ['a path of 5,000 parents', `members${'/..'.repeat(5_000)}`, 404],
  ])('%s are rejected', async (_, path, status) => {
    const { auth } = await withKey();
    const answer = await sendRaw(server.address, requestText(`GET /api/v1/${path}`, auth));
    expectError(
      answer!,
      status,
      ({ 400: 'invalid_request', 404: 'not_found', 431: 'headers_too_large' } as const)[status as 400],
    );
  });

  test.each(['BREW', 'get', 'GETX', 'G\0ET', 'P@ST', '"GET"', ''])(
    'the unknown method %j is a bad request',
    async (method) => {
      const { auth } = await withKey();
      expectError(
        (await sendRaw(server.address, requestText(`${method} /api/v1/site`, auth)))!,
        400,
        'invalid_request',
      );
    },
  );

  test.each(['TRACE', 'QUERY', 'PROPFIND', 'MKCOL', 'LOCK', 'PURGE', 'SOURCE', 'M-SEARCH', 'LINK', 'REPORT'])(
    'the method %s is known but not allowed',
    async (method) => {
      const { auth } = await withKey();
      const answer = await sendRaw(server.address, requestText(`${method} /api/v1/site`, auth));
      expectError(answer!, 405, 'method_not_allowed');
      const nowhere = await sendRaw(server.address, requestText(`${method} /api/v1/nothing`, auth));
      expectError(nowhere!, 404, 'not_found');
    },
  );

  test('a CONNECT request closes the connection, and an upgrade is ignored', async () => {
    const { auth } = await withKey();
    expect(await sendRaw(server.address, requestText('CONNECT evil.example:443', auth))).toBeUndefined();
    const upgrade = { ...auth, connection: 'Upgrade', upgrade: 'websocket' };
    expectResponse(
      'getSite',
      (await sendRaw(server.address, requestText('GET /api/v1/site', upgrade)))!,
      200,
    );
  });

  test.each([
    'members/%',
    'members/%zz',
    'members/%c0%ae',
    'members/%ff',
    'members/..%2fsite',
    'members/%2e%2e%2fsite',
    'members/../site',
    'members/%2e%2e/site',
    'members/..\\site',
    'members/%5c..%5csite',
    'members/%00',
    'site%00',
    'site%2f',
    'site/.',
    './site',
    '../v1/site',
    'site;x=1',
    'site#x',
    'site\\',
    'site%20',
    'SITE',
    '/site',
    '%2fsite',
    'site/..%00/',
    'access-groups/..%2f..%2fsite',
    'access-groups/%252e%252e/members',
  ])('the path %s gives access to nothing else', async (path) => {
    const { auth } = await withKey();
    const answer = await sendRaw(server.address, requestText(`GET /api/v1/${path}`, auth));
    expect([400, 404]).toContain(answer!.status);
    expectError(answer!, answer!.status, answer!.status === 400 ? 'invalid_request' : 'not_found');
  });

  test.each([
    '/docs/..%2f..%2fpackage.json',
    '/docs/../../package.json',
    '/docs/%2e%2e/x',
    '/..%5c..%5cx',
    '//evil.example/',
    '*',
  ])('there is no file at %s', async (path) => {
    expectError((await sendRaw(server.address, requestText(`GET ${path}`)))!, 404, 'not_found');
  });

  describe('a target in absolute form', () => {
    test('is answered like the path alone', async () => {
      const { site, auth } = await withKey();
      for (const email of ['a@example.com', 'b@example.com']) await site.post('/members', { email });
      const [plain, absolute] = await Promise.all(
        ['', 'http://evil.example'].map((host) =>
          sendRaw(server.address, requestText(`GET ${host}/api/v1/members?limit=1`, auth)),
        ),
      );
      expectResponse('listMembers', absolute!, 200);
      expect(absolute!.text).toBe(plain!.text);
      expect(absolute!.headers.get('link')).toBe(plain!.headers.get('link'));
    });

    test('needs a key if the path does', async () => {
      for (const path of ['site', 'nothing']) {
        const request = requestText(`GET HTTP://evil.example:99/api/v1/${path}`);
        expectError((await sendRaw(server.address, request))!, 401, 'missing_api_key');
      }
      for (const rest of ['', '/', '?x=1', '?/api/v1/site']) {
        const request = requestText(`GET http://evil.example${rest}`);
        expectError((await sendRaw(server.address, request))!, 404, 'not_found');
      }
    });
  });

  test('HTTP/1.0 is answered, also without Host, and the connection closed', async () => {
    const { site } = await withKey();
    const connection = await RawConnection.open(server.address);
    connection.write(`GET /api/v1/site HTTP/1.0\r\nauthorization: Bearer ${site.key}\r\n\r\n`);
    expectResponse('getSite', (await connection.answer())!, 200);
    await connection.closed;
  });

  test('HTTP/1.1 without Host is a bad request', async () => {
    for (const path of ['/api/v1/site', '/healthz', '/nothing', '/api/v1/%zz']) {
      expectError((await sendRaw(server.address, `GET ${path} HTTP/1.1\r\n\r\n`))!, 400, 'invalid_request');
    }
  });

  test('an unknown expectation is ignored, and 100-continue is supported', async () => {
    const { auth } = await withKey();
    const unknown = requestText('GET /api/v1/site', { ...auth, expect: 'the unexpected' });
    expectResponse('getSite', (await sendRaw(server.address, unknown))!, 200);
    const connection = await RawConnection.open(server.address);
    const headers = { ...auth, ...json, expect: '100-continue', 'content-length': String(member.length) };
    connection.write(requestText('POST /api/v1/members', headers));
    expect((await connection.answer())!.status).toBe(100);
    connection.write(member);
    expectResponse('createMember', (await connection.answer())!, 201);
    connection.destroy();
  });

  test('100 requests sent together on one connection are answered in order', async () => {
    const { auth } = await withKey();
    const connection = await RawConnection.open(server.address);
    const ids = Array.from({ length: 100 }, () => randomUUID());
    const paths = ['site', 'members', 'nothing', 'members/%zz', 'access-groups?q=x', 'members?limit=0'];
    connection.write(
      ids
        .map((id, index) =>
          requestText(`GET /api/v1/${paths[index % paths.length]}`, { ...auth, 'x-request-id': id }),
        )
        .join(''),
    );
    const statuses: number[] = [];
    for (const id of ids) {
      const answer = (await connection.answer())!;
      expect(answer.headers.get('x-request-id')).toBe(id);
      statuses.push(answer.status);
    }
    expect(statuses.slice(0, 6)).toEqual([200, 200, 404, 400, 200, 400]);
    expect(connection.nothingMore).toBe(true);
    connection.destroy();
  });

  test.each([
    ['text', 'hello\r\n\r\n'],
    ['zeros', '\0'.repeat(1_000)],
    [
      'random bytes',
      new Uint8Array(Array.from({ length: 2_000 }, (_, index) => (index * 7_919 + 131) % 256)),
    ],
    ['the start of TLS', new Uint8Array([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03])],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['HTTP/3.0', 'GET / HTTP/3.0\r\nhost: x\r\n\r\n'],
    ['a proxy greeting', 'PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\nGET / HTTP/1.1\r\n\r\n'],
    ['a Redis command', '*1\r\n$4\r\nPING\r\n'],
    ['a greeting of SMTP', 'EHLO example.com\r\n'],
    ['a response', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'],
    ['a space in a header name', 'GET / HTTP/1.1\r\nhost: x\r\nx y: z\r\n\r\n'],
    ['no header name', 'GET / HTTP/1.1\r\nhost: x\r\n: z\r\n\r\n'],
    ['two spaces in the line', 'GET  / HTTP/1.1 x\r\nhost: x\r\n\r\n'],
    ['a path without its slash', 'GET api/v1/site HTTP/1.1\r\nhost: x\r\n\r\n'],
  ])(
    'input that is not a request (%s) gets an error response, and the connection is closed',
    async (_, bytes) => {
      const connection = await RawConnection.open(server.address);
      connection.write(bytes);
      expectError((await connection.answer())!, 400, 'invalid_request');
      await connection.closed;
      expect(connection.nothingMore).toBe(true);
    },
  );

  test.each<[string, string, string]>([
    ['both lengths', 'content-length: 5\r\ntransfer-encoding: chunked', '0\r\n\r\n'],
    ['both lengths, the other way round', 'transfer-encoding: chunked\r\ncontent-length: 5', '0\r\n\r\n'],
    ['two Content-Length', 'content-length: 0\r\ncontent-length: 5', ''],
    ['a list of lengths', 'content-length: 0, 5', ''],
    ['a negative length', 'content-length: -1', ''],
    ['a signed length', 'content-length: +0', ''],
    ['a hexadecimal length', 'content-length: 0x0', ''],
    ['a length that is too large', 'content-length: 99999999999999999999', ''],
    ['chunked, but not last', 'transfer-encoding: chunked, identity', '0\r\n\r\n'],
    ['an unknown coding', 'transfer-encoding: xchunked', '0\r\n\r\n'],
    ['a space before the colon', 'transfer-encoding : chunked', '0\r\n\r\n'],
    ['a coding after a line break', 'transfer-encoding:\n chunked', '0\r\n\r\n'],
    ['an invalid chunk length', 'transfer-encoding: chunked', 'zz\r\n\r\n'],
    ['a chunk length with a sign', 'transfer-encoding: chunked', '-1\r\n\r\n'],
    ['a chunk length that is too large', 'transfer-encoding: chunked', `${'f'.repeat(40)}\r\n\r\n`],
    ['a chunk longer than its length', 'transfer-encoding: chunked', '1\r\nabc\r\n0\r\n\r\n'],
    ['a chunk line ended by LF', 'transfer-encoding: chunked', '0\n\n'],
  ])('no second request is smuggled in by %s', async (_, headers, body) => {
    const { site, auth } = await withKey();
    const connection = await RawConnection.open(server.address);
    connection.write(
      `POST /api/v1/members HTTP/1.1\r\nhost: x\r\nauthorization: ${auth.authorization}\r\ncontent-type: application/json\r\n${headers}\r\n\r\n${body}` +
        requestText(
          'POST /api/v1/members',
          { ...auth, ...json, 'content-length': String(member.length) },
          member,
        ),
    );
    const answers: TestResponse[] = [];
    for (let answer = await connection.answer(); answer; answer = await connection.answer())
      answers.push(answer);
    await connection.closed;
    expect(answers.length).toBeLessThanOrEqual(1);
    for (const answer of answers) {
      expect([400, 413]).toContain(answer.status);
      expectError(answer, answer.status, answer.body.error.code);
    }
    expect((await site.get('/members')).body.data).toEqual([]);
  });
});
