import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { forOneStore } from '../stores.ts';
import { useTestServer } from '../use-server.ts';

// Requests that no well-behaved client sends, over a plain socket.
forOneStore((store) => {
  const server = useTestServer(store, { settings: { requestTimeoutSeconds: 2 } });

  const requests: Record<string, { send: string; status: number; code: string }> = {
    garbage: { send: '\x16\x03\x01\x02\x00\x01\x00 hello\r\n\r\n', status: 400, code: 'invalid_request' },
    'a header of 100 KiB': {
      send: head('GET /api/v1/site', [`X-Long: ${'a'.repeat(100_000)}`]),
      status: 431,
      code: 'headers_too_large',
    },
    'five thousand headers': {
      send: head(
        'GET /api/v1/site',
        Array.from({ length: 5_000 }, (_, n) => `X-${n}: a`),
      ),
      status: 431,
      code: 'headers_too_large',
    },
    'a path of 100 KiB': {
      send: head(`GET /api/v1/${'a'.repeat(100_000)}`),
      status: 431,
      code: 'headers_too_large',
    },
    'ten thousand parameters': {
      send: head(`GET /api/v1/members?${'a=1&'.repeat(10_000)}`),
      status: 431,
      code: 'headers_too_large',
    },
    'NUL in a header': {
      send: head('GET /api/v1/site', ['X-A: a\0b']),
      status: 400,
      code: 'invalid_request',
    },
    'a line break without a carriage return in a header': {
      send: 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: a\n\rb\r\n\r\n',
      status: 400,
      code: 'invalid_request',
    },
    'two lengths': {
      send: head('POST /api/v1/members', ['Content-Length: 1', 'Content-Length: 2']),
      status: 400,
      code: 'invalid_request',
    },
    'a length and chunks': {
      send: `${head('POST /api/v1/members', ['Content-Length: 4', 'Transfer-Encoding: chunked'])}0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`,
      status: 400,
      code: 'invalid_request',
    },
    ...Object.fromEntries(
      [
        ['two Hosts', 'Host: x\r\nHost: x'],
        ['two Hosts in other letters', 'HOST: x\r\nhost: y'],
        ['two Hosts, one of them empty', 'Host: x\r\nHost:'],
        ['two hosts in one header', 'Host: x, y'],
        ['a host with a user', 'Host: x@y'],
        ['a host with a path', 'Host: x/y'],
        ['a host with a space', 'Host: x y'],
        ['a host in other letters than ASCII', 'Host: caf\u00e9.example'],
        ['no Host', 'Accept: */*'],
      ].map(([name, lines]) => [
        name,
        { send: `GET /api/v1/site HTTP/1.1\r\n${lines}\r\n\r\n`, status: 400, code: 'invalid_request' },
      ]),
    ),
    'two Hosts in HTTP/1.0': {
      send: 'GET /api/v1/site HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n',
      status: 400,
      code: 'invalid_request',
    },
    'a negative length': {
      send: head('POST /api/v1/members', ['Content-Length: -1']),
      status: 400,
      code: 'invalid_request',
    },
    'broken percent-encoding': {
      send: head('GET /api/v1/members/%E0%A4%A'),
      status: 400,
      code: 'invalid_request',
    },
  };

  test.each(Object.entries(requests))(
    '%s gets a regular error response, and nothing after it is read',
    async (_, { send, status, code }) => {
      const answers = parseAnswers(await exchange(server.address, send));
      expect(answers).toHaveLength(1);
      expectApiError(answers[0]!, status, code);
      await expectOthersServed();
    },
  );

  test.each([
    '/',
    '/healthz',
    '/docs',
    '/dashboard/',
    '/hooks/x',
    '/_gatehouse/auth',
    '/_gatehouse/login',
    '/missing',
  ])('two Hosts are rejected at %s', async (path) => {
    for (const version of ['1.1', '1.0']) {
      const send = `GET ${path} HTTP/${version}\r\nHost: x\r\nHost: x\r\n\r\n`;
      const answers = parseAnswers(await exchange(server.address, send));
      expect([version, answers.map(({ status }) => status)]).toEqual([version, [400]]);
    }
  });

  test('pipelined requests are answered in order', async () => {
    const send =
      ['a', 'b', 'c'].map((each) => head(`GET /api/v1/${each}`)).join('') +
      head('GET /healthz', ['Connection: close']);
    const answers = parseAnswers(await exchange(server.address, send));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 200]);
  });

  test.each(['BREW', 'PROPFIND', 'TRACE', 'CONNECT'])(
    'the unknown method %s is rejected or the connection closed',
    async (method) => {
      const answers = parseAnswers(
        await exchange(server.address, head(`${method} /api/v1/members`, ['Connection: close'])),
      );
      for (const { status } of answers) expect([400, 401, 404, 405]).toContain(status);
      await expectOthersServed();
    },
  );

  test.each([
    '/api/v1/members/..%2f..%2fhealthz',
    '/api/v1/members/%2e%2e/site',
    '/api/v1//members',
    '/api/v1/members/',
    '/API/v1/members',
    '/api/v1/members%00',
    '/api/v1/members/%5c',
    '/api/v1\\members',
    '/api/v1/./members',
    'http://other.example/api/v1/members',
    '/api/v1/members;a=b',
    '/api/v1/members/%ff',
  ])('the path %s gives no access without a key', async (path) => {
    const answers = parseAnswers(await exchange(server.address, head(`GET ${path}`, ['Connection: close'])));
    expect(answers).toHaveLength(1);
    expect([400, 401, 404]).toContain(answers[0]!.status);
  });

  test('slow clients are disconnected, and others are served in the meantime', async () => {
    const halfHeads = Array.from({ length: 150 }, () =>
      exchange(server.address, 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-', false),
    );
    const halfBodies = Array.from({ length: 150 }, () =>
      exchange(
        server.address,
        `${head('POST /api/v1/members', ['Content-Length: 100', 'Content-Type: application/json'])}{"a`,
        false,
      ),
    );
    for (let number = 0; number < 20; number += 1) await expectOthersServed();
    for (const text of await Promise.all([...halfHeads, ...halfBodies])) {
      for (const { status } of parseAnswers(text)) expect([400, 401, 408, 429]).toContain(status);
    }
  });

  test('an endless chunked body is cut off', async () => {
    const site = await server.createSite();
    const text = await exchange(
      server.address,
      `${head('POST /api/v1/members', [`Authorization: Bearer ${site.key}`, 'Content-Type: application/json', 'Transfer-Encoding: chunked'])}5\r\n{"a":\r\n`,
      false,
    );
    for (const { status } of parseAnswers(text)) expect([400, 408]).toContain(status);
  });

  test('bodies with a million errors are rejected with bounded memory', async () => {
    const site = await server.createSite();
    const wrong = [
      `{"members":[${'1,'.repeat(500_000)}1]}`,
      `{"members":[${'{},'.repeat(300_000)}{}]}`,
      '['.repeat(1_000_000),
      `{"a":"${'\\u0000'.repeat(150_000)}"}`,
    ];
    const before = process.memoryUsage().heapUsed;
    for (let round = 0; round < 8; round += 1) {
      for (const body of wrong) expect((await site.post('/members/bulk', body)).status).toBe(400);
    }
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(300 * 1024 * 1024);
  });

  async function expectOthersServed(): Promise<void> {
    expect((await fetch(`${server.address}/healthz`)).status).toBe(200);
  }
});

function head(start: string, headers: readonly string[] = []): string {
  return `${[`${start} HTTP/1.1`, 'Host: gatehouse.example', ...headers].join('\r\n')}\r\n\r\n`;
}

/**
 * Sends bytes and returns everything received until the server closes the connection; unless told to wait, it ends
 * its own side.
 */
function exchange(address: string, bytes: string, end = true): Promise<string> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname, () =>
      end ? socket.end(bytes, 'latin1') : socket.write(bytes, 'latin1'),
    );
    socket.on('data', (data) => {
      text += data;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
}

interface RawAnswer {
  status: number;
  head: string;
  body: string;
}

function parseAnswers(text: string): RawAnswer[] {
  return text
    .split(/(?=HTTP\/1\.1 \d{3})/)
    .filter((each) => each !== '')
    .map((each) => {
      const [answerHead = '', body = ''] = each.split('\r\n\r\n');
      return { status: Number(answerHead.slice(9, 12)), head: answerHead.toLowerCase(), body };
    });
}

function expectApiError({ status, head: answerHead, body }: RawAnswer, expected: number, code: string): void {
  expect(status).toBe(expected);
  expect(JSON.parse(body).error.code).toBe(code);
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-request-id']) {
    expect(answerHead).toContain(`\r\n${name}: `);
  }
}
