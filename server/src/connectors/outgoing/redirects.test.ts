import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listenOnLoopback } from '../../../test/loopback-servers.ts';
import { OutgoingHttp, type OutgoingRequest } from './outgoing-http.ts';

interface Received {
  readonly host: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Starts servers that redirect `/` to `location`, or to what it returns for a path, and a client that may only reach
 * 127.0.0.1 of them: as `https://hooks.example.org`, as `http://a.example` and `http://b.example`, and by its address.
 */
async function start(location: string | ((path: string) => string | undefined), status = 302) {
  const received: Received[] = [];
  const targetOf = (url: string) => {
    if (typeof location !== 'string') return location(url);
    return url === '/' ? location : undefined;
  };
  const answer: RequestListener = ({ url = '', headers }, response) => {
    received.push({ host: headers.host ?? '', path: url, headers });
    const target = targetOf(url);
    if (target === undefined) response.end('arrived');
    else response.writeHead(status, { location: ports(target) }).end('moved');
  };
  const servers = await listenOnLoopback(answer);
  /** `:0` stands for the port of http, and `:1` for that of https. */
  const ports = (text: string) =>
    text.replace(/:0(?=\/|$)/, `:${servers.port}`).replace(/:1(?=\/|$)/, `:${servers.tlsPort}`);
  const http = new OutgoingHttp(
    { allowedNetworks: ['127.0.0.1'], allowsHttp: true },
    {
      resolve: async (name) => [name === 'inside.example' ? '127.0.0.2' : '127.0.0.1'],
      certificateAuthority: servers.certificate,
    },
  );
  onTestFinished(() => http.close());
  const fetch = (url: string, init?: OutgoingRequest) =>
    http.fetch(ports(url), { redirects: 'follow', ...init });
  const resultOf = (url: string, init?: OutgoingRequest) =>
    fetch(url, init).then(
      async (response) => `${response.status} ${await response.text()}`,
      (error) => `${error.reason}: ${error.message}`,
    );
  return { ...servers, fetch, resultOf, received };
}

test('a redirect is an error that names only the origin of its target, unless redirects are followed', async () => {
  const { resultOf, received, port } = await start(
    'http://user:word@b.example:0/next/page?signature=secret#part',
  );
  const message = `redirect_not_allowed: a.example:${port} redirects to a URL at http://b.example:${port}. Use the URL that it redirects to.`;
  expect(await resultOf('http://a.example:0/', { redirects: 'none' })).toBe(message);
  expect(await resultOf('http://a.example:0/', { redirects: undefined })).toBe(message);
  expect(received).toHaveLength(2);
});

test.each([301, 302, 303, 307, 308])('with status %i a redirect of a GET is followed', async (status) => {
  const { fetch, received, port } = await start('/next?a=1#part', status);
  const response = await fetch('http://a.example:0/');
  expect(await response.text()).toBe('arrived');
  expect([response.url, response.redirected]).toEqual([`http://a.example:${port}/next?a=1`, true]);
  expect(received.map(({ path }) => path)).toEqual(['/', '/next?a=1']);
});

test.each(['POST', 'PUT', 'DELETE', 'HEAD'])('a redirect of a %s is an error', async (method) => {
  const { resultOf, received } = await start('/next');
  expect(await resultOf('http://a.example:0/', { method })).toContain('redirect_not_allowed');
  expect(received).toHaveLength(1);
});

test.each([300, 304])('a response with status %i is no redirect', async (status) => {
  const { fetch } = await start('/next', status);
  expect((await fetch('http://a.example:0/', { redirects: 'none' })).status).toBe(status);
});

test('three redirects are followed, and not four', async () => {
  const steps = (count: number) => (path: string) => {
    const step = Number(path.slice(1));
    return step < count ? `/${step + 1}` : undefined;
  };
  const three = await start(steps(3));
  expect(await three.resultOf('http://a.example:0/0')).toBe('200 arrived');
  const four = await start(steps(4));
  expect(await four.resultOf('http://a.example:0/0')).toMatch(
    /^redirect_not_allowed: a\.example:\d+ redirects once more, after 3 redirects\. Use /,
  );
  expect(four.received.map(({ path }) => path)).toEqual(['/0', '/1', '/2', '/3']);
});

test('a circle of redirects ends', async () => {
  const { resultOf, received } = await start((path) => (path === '/a' ? '/b' : '/a'));
  expect(await resultOf('http://a.example:0/a')).toContain('redirect_not_allowed');
  expect(received).toHaveLength(4);
});

test.each([
  ['loopback', 'http://127.0.0.2:0/'],
  ['loopback over https', 'https://127.0.0.2:1/'],
  ['loopback in IPv6', 'http://[::1]:0/'],
  ['loopback in another spelling', 'http://0x7f.2:0/'],
  ['loopback without a scheme', '//127.0.0.2:0/'],
  ['loopback with backslashes', '\\\\127.0.0.2:0/'],
  ['a name of loopback', 'http://inside.example:0/'],
  ['metadata of a cloud', 'http://169.254.169.254/latest/meta-data/'],
  ['a private network', 'https://10.0.0.1/'],
])('a redirect to %s is not followed', async (_, location) => {
  const { resultOf, connections } = await start(location);
  expect(await resultOf('http://a.example:0/')).toContain('address_not_allowed: ');
  expect(connections).toEqual(['127.0.0.1']);
});

test.each([
  ['a user name', 'http://user@b.example:0/', 'url_not_allowed'],
  ['another host behind an @', 'http://b.example@127.0.0.2:0/', 'url_not_allowed'],
  ['a port of another service', 'http://b.example:25/', 'url_not_allowed'],
  ['another scheme', 'ftp://b.example/', 'redirect_not_allowed'],
  ['a file', 'file:///etc/passwd', 'redirect_not_allowed'],
  ['data', 'data:text/plain,arrived', 'redirect_not_allowed'],
  ['nothing', 'http://', 'redirect_not_allowed'],
])('a redirect to %s is not followed', async (_, location, reason) => {
  const { resultOf, connections } = await start(location);
  expect(await resultOf('http://a.example:0/')).toContain(`${reason}: `);
  expect(connections).toEqual(['127.0.0.1']);
});

test('a redirect from https to http is not followed, also in development', async () => {
  const { resultOf, received } = await start('http://a.example:0/next');
  expect(await resultOf('https://hooks.example.org:1/')).toContain('redirects from https to http');
  expect(received).toHaveLength(1);
});

test('a redirect from http to https is followed', async () => {
  const { resultOf } = await start('https://hooks.example.org:1/next');
  expect(await resultOf('http://a.example:0/')).toBe('200 arrived');
});

test('a redirect without a target is an error', async () => {
  const servers = await listenOnLoopback((_request, response) => response.writeHead(302).end());
  const http = new OutgoingHttp({ allowedNetworks: ['127.0.0.1'], allowsHttp: true });
  onTestFinished(() => http.close());
  for (const redirects of ['none', 'follow'] as const) {
    const request = http.fetch(`http://127.0.0.1:${servers.port}/`, { redirects });
    await expect(request).rejects.toThrow('redirects without a valid target');
  }
});

const secrets = {
  authorization: 'Bearer secret',
  cookie: 'session=secret',
  'proxy-authorization': 'Basic secret',
  'x-api-key': 'secret',
  'x-anything': 'secret',
};
const harmless = {
  accept: 'text/csv',
  'accept-language': 'de',
  'if-none-match': '"1"',
  'user-agent': 'Test',
};

test('no secret header is sent to another origin, nor back to the first one', async () => {
  const { fetch, received } = await start((path) => {
    return { '/': 'http://b.example:0/1', '/1': 'http://a.example:0/2' }[path];
  });
  await fetch('http://a.example:0/', { headers: { ...secrets, ...harmless } });
  expect(received.map(({ path }) => path)).toEqual(['/', '/1', '/2']);
  expect(received[0]?.headers).toMatchObject({ ...secrets, ...harmless });
  for (const { headers } of received.slice(1)) {
    expect(headers).toMatchObject(harmless);
    expect(JSON.stringify(headers)).not.toContain('secret');
  }
});

test('another port or scheme is another origin', async () => {
  const { fetch, received } = await start('https://hooks.example.org:1/next');
  await fetch('http://hooks.example.org:0/', { headers: secrets });
  expect(JSON.stringify(received[1]?.headers)).not.toContain('secret');
});

test('headers are sent again to the same origin', async () => {
  const { fetch, received } = await start('/next');
  await fetch('http://a.example:0/', { headers: secrets });
  expect(received[1]?.headers).toMatchObject(secrets);
});
